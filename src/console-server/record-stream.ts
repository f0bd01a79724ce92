import type { App } from '../app/app.ts';
import type { AuditRecord } from '../audit/record.ts';
import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import { moduleOf } from '../load/app-origin.ts';
import { EventBody } from '../wires/http/event-body.ts';
import type { HttpReply, HttpRequest } from '../wires/http/message.ts';
import { streamHeaders } from '../wires/http/stream.ts';
import { RecordFileReader } from './record-file-reader.ts';
import { toEntry } from './record-entry.ts';

/** Records that are kept for a page that opens later. */
const KEPT = 500;
/** Records in one event; the others of that time are only counted. */
const MOST_AT_ONCE = 200;
/** Milliseconds between two events. */
const PACE = 100;
/** Milliseconds after which a page that watches is asked again whether it may. */
const ADMISSION = 30_000;
/** Pages that may watch at once. */
const MOST_LISTENERS = 16;

interface Listener {
  readonly body: EventBody;
  readonly timer: ReturnType<typeof setInterval>;
  waiting: string[];
  skipped: number;
  isBusy: boolean;
}

/** The calls that this process answers, for pages that watch. Nothing is recorded before the console was opened. */
export class RecordStream {
  readonly #kept: string[] = [];
  readonly #listeners = new Set<Listener>();
  #stop: (() => void) | undefined;
  #reader: RecordFileReader | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(private readonly app: App) {}

  begin(): void {
    if (this.#isClosed || this.#stop) return;
    const add = (record: AuditRecord) => this.#add(toEntry(record));
    this.#stop = this.app.records.observe(add);
    const module = moduleOf(this.app);
    if (module !== undefined) this.#reader = new RecordFileReader(module, add);
  }

  /** `GET …/events`: what is kept, then everything that comes, until `mayStay` says no: a credential ends before a stream. */
  reply({ onDisconnect }: HttpRequest, mayStay: () => Promise<boolean>): HttpReply | Failed {
    if (this.#listeners.size >= MOST_LISTENERS)
      return refuse('UNAVAILABLE', `${MOST_LISTENERS} pages watch already`, { retryAfter: 5 });
    this.begin();
    const leave = () => this.#leave(listener);
    const check = async () => (await mayStay().catch(() => false)) || leave();
    const listener: Listener = {
      body: new EventBody('text/event-stream', leave),
      timer: setInterval(() => void check(), ADMISSION),
      waiting: [...this.#kept],
      skipped: 0,
      isBusy: false,
    };
    this.#listeners.add(listener);
    onDisconnect?.(leave);
    void this.#flush(listener);
    if (this.#isClosed) leave();
    return { status: 200, headers: streamHeaders(this.app, 'text/event-stream'), body: listener.body.stream };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#stop?.();
    for (const listener of this.#listeners) this.#leave(listener);
    await this.#reader?.close();
  }

  #leave(listener: Listener): void {
    this.#listeners.delete(listener);
    clearInterval(listener.timer);
    listener.body.end();
  }

  #add(entry: string): void {
    this.#kept.push(entry);
    if (this.#kept.length > KEPT) this.#kept.shift();
    for (const listener of this.#listeners) {
      if (listener.waiting.length < MOST_AT_ONCE) listener.waiting.push(entry);
      else listener.skipped++;
    }
    if (this.#listeners.size > 0) this.#timer ??= setTimeout(() => this.#flushAll(), PACE);
  }

  #flushAll(): void {
    this.#timer = undefined;
    for (const listener of this.#listeners) void this.#flush(listener);
  }

  /** No faster than the page reads: what it misses is counted. */
  async #flush(listener: Listener): Promise<void> {
    if (listener.isBusy) return;
    listener.isBusy = true;
    const { waiting, skipped } = listener;
    listener.waiting = [];
    listener.skipped = 0;
    await listener.body.send(`event: records\ndata: {"skipped":${skipped},"records":[${waiting.join(',')}]}\n\n`);
    listener.isBusy = false;
    if (listener.waiting.length > 0) this.#timer ??= setTimeout(() => this.#flushAll(), PACE);
  }
}

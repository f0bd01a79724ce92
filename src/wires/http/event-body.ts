import type { Progress } from '../../core/context.ts';
import { toNdjson, toSse } from '../stream-events.ts';
import type { EncodeEvent } from '../stream-events.ts';
import type { StreamType } from './stream-type.ts';

/** Bytes that may wait for a slow client before the generator is paused. */
const MAX_UNREAD = 16 * 1024;

/** Milliseconds after which proxies are shown that the connection is alive. */
const KEEP_ALIVE = 15_000;

/** The body of a response that is written while its call runs, and no faster than the client reads. */
export class EventBody {
  readonly stream: ReadableStream<Uint8Array>;
  readonly encode: EncodeEvent;
  /** Resolves with the first event. */
  readonly begun: Promise<void>;
  #begin!: () => void;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #onRoom: (() => void)[] = [];
  #isClosed = false;
  readonly #utf8 = new TextEncoder();
  readonly #timer: ReturnType<typeof setInterval>;

  /** `onCancel` is called if the reader of the body cancels it. */
  constructor(type: StreamType, onCancel: () => void) {
    const isSse = type === 'text/event-stream';
    this.encode = isSse ? toSse : toNdjson;
    this.begun = new Promise((resolve) => (this.#begin = resolve));
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => this.#release(),
        cancel: () => {
          this.#close();
          onCancel();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD }),
    );
    this.#timer = setInterval(() => this.#hasRoom && this.#write(isSse ? ':\n\n' : '\n'), KEEP_ALIVE);
  }

  /** Never dropped: the generator waits. */
  readonly chunk = (chunk: unknown): void | Promise<void> => this.send(this.encode('chunk', JSON.stringify(chunk)));

  /** Writes an event, and waits while the client is behind. */
  send(event: string): void | Promise<void> {
    this.#write(event);
    if (!this.#isClosed && !this.#hasRoom) return new Promise((resolve) => void this.#onRoom.push(resolve));
  }

  /** Dropped while the client is behind. */
  readonly progress = (progress: Progress): void => {
    if (this.#hasRoom) this.#write(this.encode('progress', JSON.stringify(progress)));
  };

  end(event?: string): void {
    if (event !== undefined) this.#write(event);
    if (!this.#isClosed) this.#controller.close();
    this.#close();
  }

  /** For a response that does not use this body. */
  discard(): void {
    this.#close();
  }

  get #hasRoom(): boolean {
    return (this.#controller.desiredSize ?? 0) > 0;
  }

  #write(text: string): void {
    if (this.#isClosed) return;
    this.#controller.enqueue(this.#utf8.encode(text));
    this.#begin();
  }

  #release(): void {
    for (const resolve of this.#onRoom.splice(0)) resolve();
  }

  #close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#release();
  }
}

import { Expiry } from './expiry.ts';
import { LinkedList } from './linked-list.ts';
import type { Link } from './linked-list.ts';
import { notify } from './notify.ts';
import { splitRecord } from './split-record.ts';
import { StoreFullError } from './store-full-error.ts';
import { isFinal } from './task-record.ts';
import type { TaskHead, TaskPayloads, TaskRecord } from './task-record.ts';
import type { ListOptions, TaskStats, TaskStore } from './task-store.ts';

export interface MemoryLimits {
  readonly records: number;
  /** Of all payloads together. A character counts as one, though some take two. */
  readonly bytes: number;
  /** So many of them are kept free for a result: new tasks are refused before. */
  readonly reserve?: number;
}

interface Entry {
  head: TaskHead;
  payloads: TaskPayloads;
  readonly key: string | undefined;
  readonly created: Link<Entry>;
  /** While its status is not final. */
  unfinished: Link<Entry> | undefined;
  /** While it works. */
  working: Link<Entry> | undefined;
  lookedAt: number;
}

/** A change that adds no more than this is written even if the store is full: a task must be able to fail. */
const SMALL = 4096;

/** Keeps tasks in this process: a restart loses them. Everything but `list` takes the same time however many there are. */
export class MemoryTaskStore implements TaskStore {
  readonly #limits: MemoryLimits;
  readonly #entries = new Map<string, Entry>();
  readonly #keys = new Map<string, Entry>();
  readonly #created = new LinkedList<Entry>();
  readonly #unfinished = new LinkedList<Entry>();
  /** Those that were not looked at for longest come first. */
  readonly #working = new LinkedList<Entry>();
  readonly #counts = { working: 0, input_required: 0, completed: 0, failed: 0, cancelled: 0 };
  readonly #listeners = new Set<(id: string) => void>();
  readonly #expiry = new Expiry((id) => void this.#find(id));
  #dead = 0;
  #bytes = 0;

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
  }

  async create(record: TaskRecord, key?: string): Promise<TaskRecord> {
    const before = this.#find(record.id) ?? (key === undefined ? undefined : this.#find(this.#keys.get(key)?.head.id));
    if (before) return toRecord(before);
    this.#expiry.sweep();
    const [head, payloads] = splitRecord(record);
    const bytes = sizeOf(payloads);
    if (this.#entries.size >= this.#limits.records) throw full(`${this.#limits.records} tasks`);
    if (this.#bytes + bytes > this.#limits.bytes - (this.#limits.reserve ?? 0))
      throw full(`${this.#limits.bytes} bytes of tasks`);
    const entry: Entry = {
      head,
      payloads: payloads as TaskPayloads,
      key,
      // Entry and link know each other.
      created: undefined as never,
      unfinished: undefined,
      working: undefined,
      lookedAt: 0,
    };
    Object.assign(entry, { created: this.#created.add(entry) });
    this.#entries.set(head.id, entry);
    if (key !== undefined) this.#keys.set(key, entry);
    this.#bytes += bytes;
    this.#count(entry, 1);
    return record;
  }

  async read(id: string): Promise<TaskRecord | undefined> {
    const entry = this.#find(id);
    return entry && toRecord(entry);
  }

  async replace(next: TaskHead & Partial<TaskRecord>): Promise<boolean> {
    const entry = this.#find(next.id);
    if (entry?.head.version !== next.version - 1) return false;
    const [head, given] = splitRecord(next);
    const payloads = { ...entry.payloads, ...given };
    const growth = sizeOf(payloads) - sizeOf(entry.payloads);
    if (growth > SMALL && this.#bytes + growth > this.#limits.bytes) throw full(`${this.#limits.bytes} bytes of tasks`);
    this.#count(entry, -1);
    entry.head = head;
    entry.payloads = payloads;
    this.#bytes += growth;
    this.#count(entry, 1);
    notify(this.#listeners, head.id);
    return true;
  }

  async list({ owner, isDead, limit }: ListOptions): Promise<readonly TaskHead[]> {
    const heads: TaskHead[] = [];
    for (let link = this.#created.newest; link && heads.length < limit; link = link.older) {
      const { head } = link.value;
      if (owner !== undefined && head.owner !== owner) continue;
      if (isDead !== undefined && head.isDead !== isDead) continue;
      if (!hasExpired(head)) heads.push(head);
    }
    return heads;
  }

  async stale(before: number, limit: number): Promise<readonly TaskHead[]> {
    const heads: TaskHead[] = [];
    // Those that are looked at now move behind this one.
    const last = this.#working.newest;
    for (let link = this.#working.oldest, next; link && heads.length < limit; link = next) {
      next = link === last ? undefined : link.newer;
      const entry = link.value;
      if (entry.lookedAt >= before) break;
      if (!this.#find(entry.head.id)) continue;
      this.#look(entry);
      heads.push(entry.head);
    }
    return heads;
  }

  async stats(): Promise<TaskStats> {
    this.#expiry.sweep();
    let oldest = this.#unfinished.oldest;
    while (oldest && !oldest.value.working) oldest = oldest.newer;
    return { byStatus: { ...this.#counts }, dead: this.#dead, oldestWorking: oldest?.value.head.createdAt };
  }

  async watch(listener: (id: string) => void): Promise<() => void> {
    // The same function may be given twice.
    const own = (id: string) => listener(id);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  async isReachable(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {
    this.#expiry.close();
    this.#listeners.clear();
  }

  /** Forgets it if it has expired. */
  #find(id: string | undefined): Entry | undefined {
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (!entry || !hasExpired(entry.head)) return entry;
    this.#count(entry, -1);
    this.#entries.delete(entry.head.id);
    if (entry.key !== undefined) this.#keys.delete(entry.key);
    this.#created.remove(entry.created);
    this.#bytes -= sizeOf(entry.payloads);
    return undefined;
  }

  /** Adds it to what is derived from its head, or removes it from there. */
  #count(entry: Entry, difference: 1 | -1): void {
    const { id, status, isDead, expiresAt } = entry.head;
    this.#counts[status] += difference;
    if (isDead) this.#dead += difference;
    if (difference === 1) this.#expiry.add(id, expiresAt);
    else this.#expiry.remove(id, expiresAt);
    if (entry.working) this.#working.remove(entry.working);
    entry.working = undefined;
    if (difference === 1 && status === 'working') this.#look(entry);
    // It keeps its place there, which is in the order of creation.
    if (difference === 1 && !isFinal(status)) entry.unfinished ??= this.#unfinished.add(entry);
    else if (entry.unfinished && (isFinal(status) || hasExpired(entry.head))) {
      this.#unfinished.remove(entry.unfinished);
      entry.unfinished = undefined;
    }
  }

  #look(entry: Entry): void {
    if (entry.working) this.#working.remove(entry.working);
    entry.working = this.#working.add(entry);
    entry.lookedAt = Date.now();
  }
}

const hasExpired = ({ expiresAt }: TaskHead) => expiresAt !== null && expiresAt <= Date.now();

const toRecord = ({ head, payloads }: Entry): TaskRecord => ({ ...head, ...payloads });

const sizeOf = ({ call, questions, answers, outcome }: Partial<TaskPayloads>) =>
  (call?.length ?? 0) + (questions?.length ?? 0) + (answers?.length ?? 0) + (outcome?.length ?? 0);

const full = (what: string) => new StoreFullError(`The task store is full: at most ${what} are kept in memory`);

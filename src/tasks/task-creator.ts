import type { Call } from '../core/call.ts';
import { ownerOf } from '../core/principal.ts';
import type { Principal } from '../core/principal.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import type { Deferral } from '../core/task.ts';
import { MAX_DEPTH } from '../schema/bounds.ts';
import { canonicalJson } from '../schema/canonical-json.ts';
import { hexDigest } from '../schema/hex-digest.ts';
import { toJson } from '../schema/to-json.ts';
import type { StoredAnswers, StoredCall } from './task-payloads.ts';
import { ENVIRONMENT } from './task-record.ts';
import type { TaskRecord } from './task-record.ts';
import { addEvent } from './task-records.ts';
import type { TaskRecords } from './task-records.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Stores refuse times that are much later. */
const MAX_TTL = 100 * 365 * DAY;

/** From calls to records. */
export class TaskCreator {
  constructor(
    private readonly records: TaskRecords,
    /** Bytes of all files in the arguments of one call. */
    private readonly maxFiles: number,
  ) {}

  /** Writes a new record, or finds the one with the same idempotency key. */
  async create(
    fn: RegisteredFunction,
    call: Call,
    principal: Principal | undefined,
  ): Promise<{ readonly record: TaskRecord; readonly isNew: boolean }> {
    const { deferral, caller, asker, trace } = call;
    const id = newId();
    const stored: StoredCall = {
      input: await this.#toStored(fn, call),
      caller: { ...caller, ...(trace?.context && { trace: trace.context() }) },
      principal,
      askable: deferral!.askable,
    };
    const answers: StoredAnswers = { given: asker?.answers ?? {}, asked: [] };
    const now = Date.now();
    const ttl = ttlOf(fn, deferral!);
    const identity = { id, name: fn.name, owner: ownerOf(principal) };
    const record: TaskRecord = {
      [ENVIRONMENT]: call.environment,
      ...identity,
      version: 1,
      status: 'working',
      isDead: false,
      createdAt: now,
      updatedAt: now,
      expiresAt: ttl === 0 ? null : now + ttl,
      leg: 1,
      attempts: 0,
      history: addEvent([], 'created', now),
      call: await this.records.seal(identity, 'call', stored),
      answers: await this.records.seal(identity, 'answers', answers),
    };
    const { idempotencyKey } = deferral!;
    const key = idempotencyKey && (await hexDigest(JSON.stringify([record.owner, fn.name, idempotencyKey])));
    const found = await this.records.store.create(record, key);
    return { record: found, isNew: found.id === id };
  }

  /** Whether a task was started with the same arguments. */
  async hasInput(record: TaskRecord, fn: RegisteredFunction, call: Call): Promise<boolean> {
    const stored = await this.records.open<StoredCall>(record, 'call');
    return canonicalJson(stored?.input ?? {}) === canonicalJson(asJson((await this.#toStored(fn, call)) ?? {}));
  }

  /** A task may run elsewhere, so files travel with its arguments. */
  async #toStored({ takesFiles }: RegisteredFunction, { input }: Call): Promise<unknown> {
    if (!takesFiles) return input;
    const { readFilesInside } = await import('../core/file-results.ts');
    const copy = toJson(input, MAX_DEPTH, true) as { readonly value: unknown }; // the input was checked
    const { value } = (await readFilesInside(copy.value, this.maxFiles)) as { readonly value: unknown };
    return value;
  }
}

/** As the store keeps it: in process, arguments may have what JSON leaves out. */
const asJson = (input: unknown): unknown => JSON.parse(JSON.stringify(input));

const ID = /^[0-9a-f]{36}$/;

/** Stores are not asked for what no id looks like: it may be long, or contain what a database refuses. */
export const isTaskId = (id: string): boolean => ID.test(id);

/** 144 random bits: who does not know an id cannot guess it. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** 0: for ever. */
function ttlOf({ definition: { taskTtl = DAY } }: RegisteredFunction, { ttl }: Deferral): number {
  const own = Math.min(taskTtl, MAX_TTL);
  if (ttl === undefined || !(ttl > 0)) return own;
  return Math.min(ttl, own === 0 ? MAX_TTL : own);
}

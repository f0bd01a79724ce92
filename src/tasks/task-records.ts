import type { TaskHead, TaskPayloads, TaskRecord } from './task-record.ts';
import type { TaskStore } from './task-store.ts';
import type { Vault } from './vault.ts';

/** What changes in a record. An empty payload is a payload that is gone. */
export type Patch = Partial<Omit<TaskHead, 'id' | 'version' | 'expiresAt' | 'history'>> &
  Partial<TaskPayloads> & {
    /** What happened, for the history. */
    readonly what?: string;
  };

/** Of each task, so many events are kept. */
const MAX_HISTORY = 40;
const MAX_TRIES = 100;

/** The records of an app: read, and changed one step at a time, also if others change them, too. */
export class TaskRecords {
  constructor(
    readonly store: TaskStore,
    readonly vault: Vault,
  ) {}

  /**
   * Changes a record. `decide` sees the newest version, and returns what changes, or undefined if nothing does. It is asked
   * again if somebody else was faster. Returns the newest version; undefined if there is none. `known` is a version that may be
   * the newest, which saves reading it.
   */
  async change(
    id: string,
    decide: (record: TaskRecord) => Patch | undefined | Promise<Patch | undefined>,
    known?: TaskRecord,
  ): Promise<TaskRecord | undefined> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const record = tries === 0 && known ? known : await this.store.read(id);
      const patch = record && (await decide(record));
      if (!record || !patch) return record;
      const next = patched(record, patch);
      if (await this.store.replace(next)) return { ...record, ...next };
    }
    throw new Error(`Task ${id} was changed by others ${MAX_TRIES} times meanwhile`);
  }

  seal(task: Identity, part: keyof TaskPayloads, value: unknown): Promise<string> {
    return this.vault.seal(value, aboutOf(task, part));
  }

  /** Undefined if there is no such payload. */
  async open<T>(record: TaskRecord, part: keyof TaskPayloads): Promise<T | undefined> {
    const sealed = record[part];
    return sealed ? this.vault.open<T>(sealed, aboutOf(record, part)) : undefined;
  }
}

/** The fields that a payload is bound to: with a key, it cannot be opened if one of these was changed in the store. */
export type Identity = Pick<TaskHead, 'id' | 'name' | 'owner'>;

/** Otherwise, who can write to the store could run another function with the arguments, or give a result to another owner. */
const aboutOf = ({ id, name, owner }: Identity, part: string) => JSON.stringify([id, part, name, owner]);

/** Without the payloads that stay. */
function patched(record: TaskRecord, { what, ...patch }: Patch): TaskHead & Partial<TaskRecord> {
  const { call: _call, questions: _questions, answers: _answers, outcome: _outcome, ...head } = record;
  const now = Math.max(Date.now(), head.updatedAt);
  return {
    ...head,
    ...patch,
    version: head.version + 1,
    updatedAt: now,
    history: what === undefined ? head.history : addEvent(head.history, what, now),
  };
}

/** Keeps the first event: when a task was created is never forgotten. */
export function addEvent(history: TaskHead['history'], what: string, at: number): TaskHead['history'] {
  const all = [...history, { at, what, by: THIS_PROCESS }];
  return all.length > MAX_HISTORY ? [all[0]!, ...all.slice(1 - MAX_HISTORY)] : all;
}

/** Tells the processes of an app apart in the history of a task. */
const { process } = globalThis as { process?: { pid?: number } };
const THIS_PROCESS = `${process?.pid ?? 'worker'}-${crypto.randomUUID().slice(0, 8)}`;

/** Whether this process was the last one that did something to the task. */
export const isLastByThisProcess = ({ history }: TaskHead): boolean => history.at(-1)?.by === THIS_PROCESS;

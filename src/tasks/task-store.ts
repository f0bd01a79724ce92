import type { TaskStatus } from '../core/task.ts';
import type { TaskHead, TaskRecord } from './task-record.ts';

/** Where the records of an app are kept: in memory, in Redis or in PostgreSQL. Rejects if it cannot be reached. */
export interface TaskStore {
  /**
   * Writes a new record. If another record of the app was created with the same key before, that one is returned instead, and
   * nothing is written. When this resolves, every process can read the record.
   */
  create(record: TaskRecord, key?: string): Promise<TaskRecord>;
  /** Undefined if there is none, or it has expired. */
  read(id: string): Promise<TaskRecord | undefined>;
  /**
   * Replaces a record by its next version, if it still has the version before; returns whether it had. Of the payloads, only
   * those that are given are written. Notifies all watchers, in all processes.
   */
  replace(next: TaskHead & Partial<TaskRecord>): Promise<boolean>;
  /** Without payloads, the newest first; of one owner, or of all. */
  list(options: ListOptions): Promise<readonly TaskHead[]>;
  /**
   * Working tasks that were not looked at since `before`, and marks them as looked at now, so that no other process gets them,
   * too. A task that is created or replaced counts as looked at then.
   */
  stale(before: number, limit: number): Promise<readonly TaskHead[]>;
  stats(): Promise<TaskStats>;
  /** Reports the id of every task that changes, in whichever process. Resolves when it is listening. */
  watch(listener: (id: string) => void): Promise<() => void>;
  /** Whether it can be reached. Never rejects, and answers within two seconds. */
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
}

export interface ListOptions {
  readonly owner?: string | undefined;
  readonly isDead?: boolean | undefined;
  readonly limit: number;
}

export interface TaskStats {
  /** Dead tasks count as failed, too. */
  readonly byStatus: Readonly<Record<TaskStatus, number>>;
  readonly dead: number;
  /** When the oldest working task was created. */
  readonly oldestWorking: number | undefined;
}

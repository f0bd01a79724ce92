import type { Job, Processor, Queue, Worker, WorkerOptions } from 'bullmq';
import type { TaskLeg } from './task-queue.ts';

export type Bullmq = typeof import('bullmq');
export type LegQueue = Queue<TaskLeg, void>;
export type LegWorker = Worker<TaskLeg, void>;
export type LegJob = Job<TaskLeg, void>;
export type LegProcessor = Processor<TaskLeg, void>;

/** What differs between BullMQ on Redis and on PostgreSQL: connections, and what BullMQ cannot do in bulk. */
export interface BullmqBackend {
  /** Rejects fast if the server cannot be reached; the next call tries again. */
  use<T>(work: (queue: LegQueue) => Promise<T>): Promise<T>;
  /** Those of the jobs that wait or are being worked on. */
  existing(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** `prepare` adds listeners, before anything happens. */
  openWorker(
    process: LegProcessor,
    options: Omit<WorkerOptions, 'connection'>,
    prepare: (worker: LegWorker) => void,
  ): Promise<OpenWorker>;
  close(): Promise<void>;
}

export interface OpenWorker {
  readonly worker: LegWorker;
  /** For a worker that has stopped, or whose server is gone. */
  readonly disconnect: () => Promise<void>;
}

/**
 * The record is the truth, and it counts the attempts: a job does not fail, and when it is done it is gone, so that its leg can
 * be added again.
 */
export const JOB = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

/** BullMQ reports what happens to jobs in a stream; nobody reads it. */
export const STREAMS = { events: { maxLen: 100 } } as const;

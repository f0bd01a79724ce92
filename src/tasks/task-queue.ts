/** One run of a task's function. */
export interface TaskLeg {
  readonly id: string;
  readonly leg: number;
}

/** Brings the ids of tasks to the processes that work on them, at least once. Rejects if it cannot be reached. */
export interface TaskQueue {
  /** The same leg is queued once, however often it is added, unless it has left the queue. */
  add(leg: TaskLeg): Promise<void>;
  /** Those that are neither waiting nor being worked on. */
  missing(legs: readonly TaskLeg[]): Promise<readonly TaskLeg[]>;
  /** Begins to work, in this process. */
  work(run: RunLeg, concurrency: number): Promise<QueueWorker>;
  /** How many legs wait, and how many are being worked on, in all processes. */
  counts(): Promise<{ readonly waiting: number; readonly active: number }>;
  close(): Promise<void>;
}

/** Never rejects. */
export type RunLeg = (leg: TaskLeg) => Promise<LegEnd>;

/**
 * `againIn`: the leg goes back into the queue, and may be taken by any process after so many milliseconds. It keeps neither its
 * slot nor its place, so that others can run meanwhile. `taken over`: the leg was handed out again, and is left to that run.
 */
export type LegEnd = 'done' | 'taken over' | { readonly againIn: number };

export interface QueueWorker {
  /** Takes no more legs, and resolves when the running ones have ended; they are not aborted. */
  stop(): Promise<void>;
}

import type { Bullmq, BullmqBackend, LegJob, LegProcessor } from './bullmq-backend.ts';
import { within } from '../core/within.ts';
import type { LegEnd, QueueWorker, RunLeg, TaskLeg, TaskQueue } from './task-queue.ts';

/** A process that dies keeps a leg from the others for at most a lock and two intervals, in milliseconds. */
const LOCK = 10_000;
const STALLED_INTERVAL = 1000;

const WORKER = {
  lockDuration: LOCK,
  stalledInterval: STALLED_INTERVAL,
  // The record counts the attempts.
  maxStalledCount: 1_000_000_000,
  // Otherwise a worker pauses for 15 s after the connection was lost.
  runRetryDelay: 1000,
} as const;

/**
 * Brings legs to all processes of an app. A leg that is done leaves nothing behind, and can be added again. While it runs,
 * adding it does nothing, even if it is about to end: whoever wants to be sure looks for it with `missing`.
 */
export class BullmqTaskQueue implements TaskQueue {
  readonly #bullmq: Bullmq;
  readonly #backend: BullmqBackend;
  readonly #onError: (error: unknown) => void;

  constructor(bullmq: Bullmq, backend: BullmqBackend, onError: (error: unknown) => void) {
    this.#bullmq = bullmq;
    this.#backend = backend;
    this.#onError = onError;
  }

  async add({ id, leg }: TaskLeg): Promise<void> {
    await this.#backend.use((queue) => queue.add('leg', { id, leg }, { jobId: jobOf({ id, leg }) }));
  }

  async missing(legs: readonly TaskLeg[]): Promise<readonly TaskLeg[]> {
    if (legs.length === 0) return [];
    const existing = await this.#backend.existing(legs.map(jobOf));
    return legs.filter((leg) => !existing.has(jobOf(leg)));
  }

  async counts(): Promise<{ waiting: number; active: number }> {
    const {
      waiting = 0,
      delayed = 0,
      active = 0,
    } = await this.#backend.use((queue) => queue.getJobCounts('waiting', 'delayed', 'active'));
    return { waiting: waiting + delayed, active };
  }

  async work(run: RunLeg, concurrency: number): Promise<QueueWorker> {
    // A worker would wait for the server.
    await this.counts();
    const running = new Set<Promise<unknown>>();
    const process: LegProcessor = (job, token) => {
      const end = this.#process(job, token, run);
      const settled = end.catch(() => {}).finally(() => running.delete(settled));
      running.add(settled);
      return end;
    };
    const options = { ...WORKER, concurrency };
    const { worker, disconnect } = await this.#backend.openWorker(process, options, (opened) => {
      opened.on('error', this.#onError);
    });
    return {
      async stop() {
        const closed = worker.close().then(() => true);
        // If the server is gone, it cannot learn that the legs have ended, and closing would take until it is back.
        do await Promise.all(running);
        while (!(await within(closed, 'The queue').catch(() => running.size === 0)));
        await within(disconnect(), 'The queue').catch(() => {});
        // BullMQ does so, too, unless it waits for the server; the timer would keep the process alive.
        await worker['lockManager'].close();
      },
    };
  }

  close(): Promise<void> {
    return this.#backend.close();
  }

  /** A lock that is lost changes nothing here: whether another process has taken the leg over is in the record of its task. */
  async #process(job: LegJob, token: string | undefined, run: RunLeg): Promise<void> {
    let end: LegEnd = 'done';
    try {
      end = await run(job.data);
    } catch (error) {
      this.#onError(error);
    }
    if (end === 'done') return;
    // If this fails, the lock expires, which has the same effect later.
    if (end !== 'taken over') await putBack(job, token, end.againIn).catch(this.#onError);
    // Tells BullMQ to leave the job where it is.
    throw new this.#bullmq.DelayedError();
  }
}

/** Without a delay, the job becomes the next one, and the worker that gives it back must not take another. */
const putBack = (job: LegJob, token: string | undefined, delay: number) =>
  delay === 0 ? job.moveToWait(token) : job.moveToDelayed(Date.now() + delay, token);

/** BullMQ allows no colon. */
const jobOf = ({ id, leg }: TaskLeg) => `${id}-${leg}`;

import type { Bullmq, BullmqBackend, LegJob, LegProcessor } from './bullmq-backend.ts';
import { LegLocks } from './leg-locks.ts';
import { within } from './patience.ts';
import type { QueueWorker, RunLeg, TaskLeg, TaskQueue } from './task-queue.ts';

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
    const { waiting = 0, active = 0 } = await this.#backend.use((queue) => queue.getJobCounts('waiting', 'active'));
    return { waiting, active };
  }

  async work(run: RunLeg, concurrency: number): Promise<QueueWorker> {
    // A worker would wait for the server.
    await this.counts();
    const locks = new LegLocks(LOCK);
    const running = new Set<Promise<unknown>>();
    const process: LegProcessor = (job, token) => {
      const end = this.#process(job, token, run, locks);
      const settled = end.catch(() => {}).finally(() => running.delete(settled));
      running.add(settled);
      return end;
    };
    const options = { ...WORKER, concurrency };
    const { worker, disconnect } = await this.#backend.openWorker(process, options, (opened) => {
      opened.on('error', this.#onError);
      opened.on('locksRenewed', ({ jobIds }) => jobIds.forEach((id) => locks.renew(id)));
      opened.on('lockRenewalFailed', (ids) => ids.forEach((id) => locks.lose(id)));
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

  async #process(job: LegJob, token: string | undefined, run: RunLeg, locks: LegLocks): Promise<void> {
    const [signal, release] = locks.hold(job.id!);
    let isAgain = false;
    try {
      isAgain = (await run(job.data, signal)) === 'again';
    } catch (error) {
      this.#onError(error);
    } finally {
      release();
    }
    if (!isAgain && !signal.aborted) return;
    // If the lock is lost, the leg is somebody else's. If this fails, the lock expires, which has the same effect later.
    if (!signal.aborted) await job.moveToWait(token).catch(this.#onError);
    // Tells BullMQ to leave the job where it is.
    throw new this.#bullmq.WaitingError();
  }
}

/** BullMQ allows no colon. */
const jobOf = ({ id, leg }: TaskLeg) => `${id}-${leg}`;

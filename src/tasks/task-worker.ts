import { TaskRunner } from './task-runner.ts';
import type { TaskRunnerOptions } from './task-runner.ts';
import type { QueueWorker, TaskQueue } from './task-queue.ts';
import type { Limits } from '../core/limits.ts';

export interface TaskWorkerOptions extends Omit<TaskRunnerOptions, 'maxResult'> {
  readonly queue: TaskQueue;
  readonly limits: Limits;
}

/** Legs that one process works on at once, unless it is told otherwise. */
const CONCURRENCY = 4;
/** Milliseconds between searches for tasks that are not queued, and how long a task must be unchanged to be looked at. */
const SWEEP_INTERVAL = 5000;
const STALE = 10_000;
/** So many are looked at each time. */
const BATCH = 1000;

/** Works on tasks in this process, and looks for those that nobody would work on. */
export class TaskWorker {
  readonly #runner: TaskRunner;
  #worker: Promise<QueueWorker> | undefined;
  #sweeper: ReturnType<typeof setInterval> | undefined;
  #isStopped = false;

  constructor(private readonly options: TaskWorkerOptions) {
    this.#runner = new TaskRunner({ ...options, maxResult: options.limits.result });
  }

  /** Once, however often it is called; again after it failed. */
  async start(concurrency = CONCURRENCY): Promise<void> {
    if (this.#isStopped) return; // the app was closed while this was on its way
    try {
      await (this.#worker ??= this.options.queue.work(this.#runner.run, concurrency));
      this.#sweeper ??= startSweeping(() => this.#sweep());
    } catch (thrown) {
      this.#worker = undefined;
      throw thrown;
    }
  }

  /** Takes no more legs. Those that are still running after the grace period go back into the queue. */
  async stop(grace: number): Promise<void> {
    this.#isStopped = true;
    const worker = await this.#worker?.catch(() => undefined); // whoever started it has got the error
    clearInterval(this.#sweeper); // not before: it may just be starting
    if (!worker) return;
    const timer = setTimeout(() => this.#runner.giveBack(), grace);
    await worker.stop();
    clearTimeout(timer);
  }

  /** A process may have ended after it stored a task or its answers, and before it queued the next leg. */
  async #sweep(): Promise<void> {
    const { queue, records, report } = this.options;
    try {
      const stale = await records.store.stale(Date.now() - STALE, BATCH);
      if (stale.length === 0) return;
      for (const leg of await queue.missing(stale)) await queue.add(leg);
    } catch (thrown) {
      report.thrown(thrown, { part: 'tasks' });
    }
  }
}

function startSweeping(sweep: () => Promise<void>): ReturnType<typeof setInterval> {
  const timer = setInterval(() => void sweep(), SWEEP_INTERVAL);
  (timer as { unref?: () => void }).unref?.(); // must not keep a process alive
  return timer;
}

import { LinkedList } from './linked-list.ts';
import type { LegEnd, QueueWorker, RunLeg, TaskLeg, TaskQueue } from './task-queue.ts';

interface Worker {
  readonly run: RunLeg;
  readonly concurrency: number;
  running: number;
  readonly onIdle: (() => void)[];
}

/** Legs of this process: first come, first served. A leg that is done may be added again at once. */
export class MemoryTaskQueue implements TaskQueue {
  readonly #waiting = new LinkedList<TaskLeg>();
  readonly #queued = new Set<string>();
  readonly #workers = new Set<Worker>();
  #active = 0;

  async add(leg: TaskLeg): Promise<void> {
    const key = keyOf(leg);
    if (this.#queued.has(key)) return;
    this.#queued.add(key);
    this.#waiting.add(leg);
    this.#start();
  }

  async missing(legs: readonly TaskLeg[]): Promise<readonly TaskLeg[]> {
    return legs.filter((leg) => !this.#queued.has(keyOf(leg)));
  }

  async work(run: RunLeg, concurrency: number): Promise<QueueWorker> {
    const worker: Worker = { run, concurrency, running: 0, onIdle: [] };
    this.#workers.add(worker);
    this.#start();
    return {
      stop: () => {
        this.#workers.delete(worker);
        if (worker.running === 0) return Promise.resolve();
        return new Promise((resolve) => worker.onIdle.push(resolve));
      },
    };
  }

  async counts(): Promise<{ waiting: number; active: number }> {
    return { waiting: this.#queued.size - this.#active, active: this.#active };
  }

  async close(): Promise<void> {
    this.#workers.clear();
  }

  /** In a later turn of the event loop, at least: a leg that always wants to run again must not stop everything else. */
  #addLater(leg: TaskLeg, milliseconds: number): void {
    const timer = setTimeout(() => {
      this.#waiting.add(leg);
      this.#start();
    }, milliseconds);
    (timer as { unref?: () => void }).unref?.(); // must not keep a process alive
  }

  #start(): void {
    for (const worker of this.#workers) {
      for (let link = this.#waiting.oldest; link && worker.running < worker.concurrency; link = this.#waiting.oldest) {
        this.#waiting.remove(link);
        worker.running++;
        this.#active++;
        // Not at once: whoever adds a leg goes on first.
        void Promise.resolve().then(() => this.#run(worker, link.value));
      }
    }
  }

  async #run(worker: Worker, leg: TaskLeg): Promise<void> {
    let end: LegEnd = 'done';
    try {
      end = await worker.run(leg);
    } finally {
      worker.running--;
      this.#active--;
      if (typeof end === 'object') this.#addLater(leg, end.againIn);
      else this.#queued.delete(keyOf(leg));
      this.#start();
      if (worker.running === 0) for (const resolve of worker.onIdle.splice(0)) resolve();
    }
  }
}

const keyOf = ({ id, leg }: TaskLeg) => `${id}-${leg}`;

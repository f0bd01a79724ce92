import { setTimeout } from 'node:timers/promises';
import type { Process } from '../process.ts';
import type { Front } from './front.ts';
import type { Serving } from './messages.ts';
import type { Ended, WorkerProcess } from './worker-process.ts';

/** A process that ends sooner than this after it began to serve, in milliseconds, is replaced later each time. */
const STABLE = 10_000;
const FIRST_DELAY = 100;
const MAX_DELAY = 5000;

/** The processes that serve the same state of the code. Those that die are replaced. */
export class Generation {
  readonly #workers: WorkerProcess[] = [];
  #isOver = false;

  constructor(
    private readonly proc: Process,
    private readonly count: number,
    private readonly start: () => WorkerProcess,
    private readonly front: Front,
  ) {}

  /** Starts one process, and if it serves, the others: a mistake in the app is reported once. Returns the first failure. */
  async begin(): Promise<{ readonly serving?: Serving; readonly failed?: Ended }> {
    const first = this.#add();
    const serving = await first.serving;
    if (!serving) return { failed: await first.ended };
    const others = Array.from({ length: this.#isOver ? 0 : this.count - 1 }, () => this.#add());
    const failures = await Promise.all(others.map(async (one) => ((await one.serving) ? undefined : one.ended)));
    const failed = failures.find((one) => one !== undefined);
    return failed ? { serving, failed } : { serving };
  }

  /** Takes connections from now on, and keeps the number of processes. */
  keep(): void {
    for (const [slot, worker] of this.#workers.entries()) void this.#keep(slot, worker);
  }

  /** `retire` finishes everything on open connections; `drain` refuses new calls, and has a time limit. */
  end(how: 'retire' | 'drain'): void {
    this.#isOver = true;
    for (const worker of this.#workers) {
      this.front.remove(worker);
      worker.send({ everywire: how });
    }
  }

  #add(): WorkerProcess {
    const worker = this.start();
    this.#workers.push(worker);
    return worker;
  }

  async #keep(slot: number, first: WorkerProcess): Promise<void> {
    let crashes = 0;
    for (let worker = first; ; worker = this.#workers[slot] = this.start()) {
      if ((await worker.serving) && !this.#isOver) this.front.add(worker);
      const ended = await worker.ended;
      if (this.#isOver) return;
      crashes = worker.servedFor < STABLE ? crashes + 1 : 1;
      const delay = crashes === 1 ? 0 : Math.min(FIRST_DELAY * 2 ** (crashes - 2), MAX_DELAY);
      const when = delay === 0 ? 'starting another' : `starting another in ${delay} ms`;
      this.proc.printError(`process ${worker.pid ?? ''} ended unexpectedly (${describeEnd(ended)}); ${when}`);
      await setTimeout(delay);
      if (this.#isOver) return;
    }
  }
}

export const describeEnd = ({ code, signal }: Ended) => signal ?? `exit code ${code}`;

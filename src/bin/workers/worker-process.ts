import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Process } from '../process.ts';
import { isReport } from './messages.ts';
import type { Order, Report, Serving } from './messages.ts';
import { WORKER } from './is-worker.ts';

/** How often to look whether the last messages of a process have been read. */
const MAX_TRIES = 1000;

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface Listeners {
  readonly onStarted: (worker: WorkerProcess) => void;
  readonly onChange: (worker: WorkerProcess, report: Report & { readonly everywire: 'change' }) => void;
}

/** One of the processes that serve, as the main process sees it: this command, run again. */
export class WorkerProcess {
  /** Resolves when it serves; undefined if it ended before. */
  readonly serving: Promise<Serving | undefined>;
  readonly ended: Promise<Ended>;
  onTaken: (() => void) | undefined;
  /** It has ended, and all its messages have been read. */
  onLost: (() => void) | undefined;
  readonly #child: ChildProcess;
  #servingSince: number | undefined;

  constructor(proc: Process, listeners: Listeners) {
    const child = fork(proc.argv[1]!, proc.argv.slice(2), { env: { ...proc.env, [WORKER]: '1' } });
    this.#child = child;
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
      // The other errors are about messages to a process that has ended.
      child.on('error', () => child.pid === undefined && resolve({ code: 1, signal: null }));
    });
    this.serving = new Promise((resolve) => {
      child.on('message', (message) => {
        if (!isReport(message)) return;
        if (message.everywire === 'started') listeners.onStarted(this);
        else if (message.everywire === 'taken') this.onTaken?.();
        else if (message.everywire === 'change') listeners.onChange(this, message);
        else {
          this.#servingSince = performance.now();
          resolve(message);
        }
      });
      void this.ended.then(() => resolve(undefined));
    });
    void this.#untilLost().then(() => this.onLost?.());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isConnected(): boolean {
    return this.#child.connected;
  }

  /** Milliseconds. */
  get servedFor(): number {
    return this.#servingSince === undefined ? 0 : performance.now() - this.#servingSince;
  }

  send(order: Order): void {
    if (this.isConnected) this.#child.send(order, () => {}); // if it has ended, that is noticed elsewhere
  }

  handOver(socket: Socket): void {
    const order: Order = { everywire: 'connection' };
    this.#child.send(order, socket, { keepOpen: true }, () => {});
  }

  /** Not the event `disconnect`: Node does not emit it while it waits for a connection to arrive. */
  async #untilLost(): Promise<void> {
    await this.ended;
    for (let tries = 0; this.isConnected && tries < MAX_TRIES; tries++) await setTimeout(1);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

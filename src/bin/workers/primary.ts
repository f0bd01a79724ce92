import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { listenError } from '../commands/serve-messages.ts';
import type { Process } from '../process.ts';
import { surviveUncaught } from '../uncaught.ts';
import { Front } from './front.ts';
import { Generation, describeEnd } from './generation.ts';
import type { Serving } from './messages.ts';
import { WorkerProcess } from './worker-process.ts';
import type { Ended } from './worker-process.ts';

interface PrimaryOptions {
  readonly processes: number;
  readonly port: number;
  readonly host: string;
}

/** Milliseconds that processes have to end after their own limits. */
const GRACE = 5000;
const MAX_TIMEOUT = 2 ** 31 - 1;

/**
 * Serves with several processes until a signal arrives. This one accepts connections and looks after the others; it never loads
 * the app, so that nothing in the app can end it, and SIGHUP can load another state of the code.
 */
export async function serveWithProcesses(proc: Process, { processes, port, host }: PrimaryOptions): Promise<void> {
  surviveUncaught(proc);
  const front = new Front();
  const alive = new Set<WorkerProcess>();
  const secret = randomBytes(32).toString('hex');
  const hasTerminal = proc.isTerminal(2);
  let listening: Promise<AddressInfo> | undefined;
  let cannotListen = false;
  let drainLimit = 0;
  let isServing = false;
  let isStopping = false;
  let isReloading = false;
  let isChangedAgain = false;

  const newGeneration = () => new Generation(proc, processes, start, front);
  let generation = newGeneration();
  let next: Generation | undefined;
  proc.on('SIGTERM', (signal) => void stop(signal));
  proc.on('SIGINT', (signal) => void stop(signal));
  // A terminal that is closed sends SIGHUP, too.
  proc.on('SIGHUP', (signal) => void (hasTerminal && !proc.isTerminal(2) ? stop(signal) : reload()));

  const { serving, failed } = await generation.begin();
  if (isStopping) return;
  if (!serving) return endUnserved(failed!);
  generation.keep();
  isServing = true;
  announce(serving);

  function start(): WorkerProcess {
    const worker = new WorkerProcess(proc, {
      onStarted: (started) => void letServe(started),
      onChange: (from, change) => {
        for (const other of alive) if (other !== from) other.send(change);
      },
    });
    alive.add(worker);
    void worker.ended.then(() => alive.delete(worker));
    return worker;
  }

  /** The port is opened when the first process has started its app, as a single process does. */
  async function letServe(worker: WorkerProcess): Promise<void> {
    try {
      const address = await (listening ??= front.listen(port, host));
      worker.send({ everywire: 'serve', address, secret, processes });
    } catch (error) {
      cannotListen = true;
      proc.printError(listenError(error as NodeJS.ErrnoException, { port, host }));
      worker.send({ everywire: 'drain' });
    }
  }

  function announce({ greeting, warning, note, drain }: Serving): void {
    drainLimit = drain;
    if (warning !== undefined) proc.printWarning(warning);
    if (note !== undefined) proc.stderr.write(`${note}\n`);
    // Last, because the reader may send a signal as soon as it sees this.
    proc.stderr.write(greeting);
  }

  /** With these codes, the process has said why. */
  function endUnserved(ended: Ended): void {
    const isExplained = cannotListen || ended.code === 1 || ended.code === 2;
    if (!isExplained) proc.printError(`the first process ended before it could serve (${describeEnd(ended)})`);
    proc.end(ended.code || 1);
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (isStopping) {
      killAll();
      return proc.end(1);
    }
    isStopping = true;
    proc.stderr.write(`${signal}: finishing the calls in progress\n`);
    await front.close();
    generation.end('drain');
    next?.end('drain');
    const ends = [...alive].map((worker) => {
      worker.send({ everywire: 'drain' }); // also those of earlier generations
      return worker.ended;
    });
    // One that never yields cannot keep its limit, which calls and then `stop` of the app have.
    setTimeout(killAll, Math.min(2 * drainLimit + GRACE, MAX_TIMEOUT));
    proc.end((await Promise.all(ends)).every(({ code }) => code === 0) ? 0 : 1);
  }

  function killAll(): void {
    for (const worker of alive) worker.kill();
  }

  async function reload(): Promise<void> {
    isChangedAgain = isReloading;
    if (isReloading || isStopping || !isServing) return;
    isReloading = true;
    proc.stderr.write('SIGHUP: starting new processes\n');
    next = newGeneration();
    const begun = await next.begin();
    isReloading = false;
    if (isStopping) return;
    if (begun.failed) {
      next.end('drain');
      proc.printError('not all new processes could serve; the previous ones stay');
    } else {
      const previous = generation;
      generation = next;
      next.keep();
      previous.end('retire');
      drainLimit = Math.max(drainLimit, begun.serving!.drain);
      proc.stderr.write('SIGHUP: new processes serve; the previous ones finish their calls\n');
    }
    if (isChangedAgain) await reload();
  }
}

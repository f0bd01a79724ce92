import type { App } from '../../app/app.ts';
import type { WorkOptions } from '../../app/tasks.ts';
import { codes } from '../../core/codes.ts';
import { isFailure } from '../../core/failure.ts';
import { banner } from '../banner.ts';
import type { Process } from '../process.ts';
import { startApp } from '../start-app.ts';
import { surviveUncaught } from '../uncaught.ts';
import { showCalls } from './show-calls.ts';

interface WorkerOptions extends WorkOptions {
  readonly isQuiet: boolean;
}

/** Works until a signal arrives, then lets the tasks in progress end, or gives them back. A second signal exits at once. */
export async function workUntilSignal(proc: Process, app: App, { isQuiet, ...options }: WorkerOptions): Promise<void> {
  const problem = problemWith(app);
  if (problem !== undefined) return refuse(proc, problem);
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) return proc.end(1);
    isStopping = true;
    proc.stderr.write(`${signal}: finishing the tasks in progress\n`);
    proc.end((await app.close()) ? 0 : 1);
  };
  proc.on('SIGTERM', (signal) => void stop(signal));
  proc.on('SIGINT', (signal) => void stop(signal));
  await startApp(proc, app, options);
  if (isStopping) return;
  surviveUncaught(proc);
  if (!isQuiet) showCalls(proc, app);
  try {
    await app.tasks.work(options);
  } catch (thrown) {
    if (!isFailure(thrown)) throw thrown;
    await app.close();
    return refuse(proc, thrown.message);
  }
  // Last, because the reader may send a signal as soon as it sees this.
  proc.stderr.write(`${banner(app)} works on tasks, ${options.concurrency} at once\n`);
}

function problemWith(app: App): string | undefined {
  if (!app.tasks.isUsed)
    return `a worker has nothing to do: no function of ${app.name} has task: 'allowed' or task: 'always'`;
  return app.store.url === undefined
    ? 'a worker needs the store of the app: --store redis://localhost:6379, or the variable EVERYWIRE_STORE'
    : undefined;
}

function refuse(proc: Process, problem: string): void {
  proc.printError(problem);
  proc.end(codes.UNAVAILABLE.exit);
}

import type { App } from '../../app/app.ts';
import type { WorkOptions } from '../../app/tasks.ts';
import { codes } from '../../core/codes.ts';
import { isFailure } from '../../core/failure.ts';
import { printError } from '../../stdout/stderr.ts';
import { banner } from '../banner.ts';
import { endProcess } from '../end-process.ts';
import { startApp } from '../start-app.ts';
import { surviveUncaught } from '../uncaught.ts';
import { showCalls } from './show-calls.ts';

interface WorkerOptions extends WorkOptions {
  readonly isQuiet: boolean;
}

/** Works until a signal arrives, then lets the tasks in progress end, or gives them back. A second signal exits at once. */
export async function workUntilSignal(app: App, { isQuiet, ...options }: WorkerOptions): Promise<void> {
  const problem = problemWith(app);
  if (problem !== undefined) return refuse(problem);
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    process.stderr.write(`${signal}: finishing the tasks in progress\n`);
    process.exit((await app.close()) ? 0 : 1);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
  await startApp(app, options);
  if (isStopping) return;
  surviveUncaught();
  if (!isQuiet) showCalls(app);
  try {
    await app.tasks.work(options);
  } catch (thrown) {
    if (!isFailure(thrown)) throw thrown;
    await app.close();
    return refuse(thrown.message);
  }
  // Last, because the reader may send a signal as soon as it sees this.
  process.stderr.write(`${banner(app)} works on tasks, ${options.concurrency} at once\n`);
}

function problemWith(app: App): string | undefined {
  if (!app.tasks.isUsed)
    return `a worker has nothing to do: no function of ${app.name} has task: 'allowed' or task: 'always'`;
  return app.store.url === undefined
    ? 'a worker needs the store of the app: --store redis://localhost:6379, or the variable EVERYWIRE_STORE'
    : undefined;
}

function refuse(problem: string): void {
  printError(problem);
  endProcess(codes.UNAVAILABLE.exit);
}

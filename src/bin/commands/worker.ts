import { Command, Option } from 'commander';
import { environmentOf, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { useStore, withStore } from '../options/store.ts';
import type { StoreFlags } from '../options/store.ts';
import { withVerbose } from '../options/verbose.ts';
import { wholeNumber } from '../options/whole-number.ts';
import type { Process } from '../process.ts';
import type { AppSource } from './app-source.ts';

interface WorkerFlags extends EnvironmentFlags, StoreFlags {
  readonly concurrency: number;
  readonly quiet?: boolean;
}

export function workerCommand(proc: Process, source: AppSource): Command {
  const command = source.declare(
    new Command('worker').description('work on tasks that other processes started; needs a store'),
  );
  command
    .addOption(
      new Option('--concurrency <number>', 'tasks that are worked on at once').argParser(wholeNumber(1)).default(4),
    )
    .option('--quiet', 'print no line per task on a terminal');
  return withVerbose(proc, withEnvironment(proc, withStore(command))).action(async (...args: unknown[]) => {
    const { workUntilSignal } = await import('./run-worker.ts');
    const { concurrency, quiet, store, ...environment } = command.opts<WorkerFlags>();
    const app = useStore(await source.load(args as string[]), { store });
    const given = await environmentOf(proc, environment);
    await workUntilSignal(proc, app, { concurrency, isQuiet: quiet === true, ...given });
  });
}

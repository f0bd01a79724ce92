import { Command } from 'commander';
import { hasRealDescriptors } from '../../stdout/descriptor.ts';
import { beginWork } from '../begin-work.ts';
import { consoleOptions, modulesIn } from '../options/console.ts';
import { environmentOf, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { originRules, withOrigins } from '../options/origin.ts';
import type { OriginFlags } from '../options/origin.ts';
import { withServing } from '../options/serving.ts';
import type { ServingFlags } from '../options/serving.ts';
import { useStore, withStore } from '../options/store.ts';
import type { StoreFlags } from '../options/store.ts';
import { withVerbose } from '../options/verbose.ts';
import type { Process } from '../process.ts';
import { takeWorkerMark } from '../workers/is-worker.ts';
import type { AppSource } from './app-source.ts';
import { showCalls } from './show-calls.ts';

type DevFlags = ServingFlags & EnvironmentFlags & OriginFlags & StoreFlags;

export function devCommand(proc: Process, source: AppSource): Command {
  const command = source.declare(
    new Command('dev').description('serve the functions, and load them again whenever a file is saved'),
  );
  return withVerbose(proc, withStore(withEnvironment(proc, withOrigins(withServing(command))))).action(
    async (...args: unknown[]) => {
      const flags = command.opts<DevFlags>();
      const { port, host, env } = flags;
      if (!hasRealDescriptors) command.error('error: dev needs Node.js');
      if (!takeWorkerMark(proc)) {
        const { settingsFiles } = await import('../dev/settings-files.ts');
        const { serveWhileEdited } = await import('../dev/dev.ts');
        return serveWhileEdited(proc, { port, host, settings: settingsFiles(proc, env) });
      }
      const { serveVersion } = await import('../dev/serve-version.ts');
      await serveVersion(proc, modulesIn(args), () => loadVersion(proc, source, args as string[], flags));
    },
  );
}

async function loadVersion(proc: Process, source: AppSource, args: readonly string[], flags: DevFlags) {
  const { port, host, quiet, trustProxy, compression, worker, store, names } = flags;
  const app = useStore(await source.load(args), { store });
  const given = await environmentOf(proc, flags);
  if (!quiet) showCalls(proc, app);
  if (worker) beginWork(app, given);
  const options = {
    port,
    host,
    ...originRules(flags),
    trustProxy,
    names,
    ...(!compression && { compression }),
    console: consoleOptions(proc, flags, modulesIn(args)),
    ...given,
  };
  return { app, options };
}

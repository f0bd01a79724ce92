import { Command } from 'commander';
import { hasRealDescriptors } from '../../stdout/descriptor.ts';
import { beginWork } from '../begin-work.ts';
import { environmentOf, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { originRules, withOrigins } from '../options/origin.ts';
import type { OriginFlags } from '../options/origin.ts';
import { withServing } from '../options/serving.ts';
import type { ServingFlags } from '../options/serving.ts';
import { useStore, withStore } from '../options/store.ts';
import type { StoreFlags } from '../options/store.ts';
import { withVerbose } from '../options/verbose.ts';
import { takeWorkerMark } from '../workers/is-worker.ts';
import type { AppSource } from './app-source.ts';
import { showCalls } from './show-calls.ts';

type DevFlags = ServingFlags & EnvironmentFlags & OriginFlags & StoreFlags;

export function devCommand(source: AppSource): Command {
  const command = source.declare(
    new Command('dev').description('serve the functions, and load them again whenever a file is saved'),
  );
  return withVerbose(withStore(withEnvironment(withOrigins(withServing(command))))).action(
    async (...args: unknown[]) => {
      const flags = command.opts<DevFlags>();
      const { port, host, env } = flags;
      if (!hasRealDescriptors) command.error('error: dev needs Node.js');
      if (!takeWorkerMark()) {
        const { settingsFiles } = await import('../dev/settings-files.ts');
        const { serveWhileEdited } = await import('../dev/dev.ts');
        return serveWhileEdited({ port, host, settings: settingsFiles(env) });
      }
      const { serveVersion } = await import('../dev/serve-version.ts');
      await serveVersion(modulesIn(args), () => loadVersion(source, args as string[], flags));
    },
  );
}

async function loadVersion(source: AppSource, args: readonly string[], flags: DevFlags) {
  const { port, host, quiet, trustProxy, compression, worker, store } = flags;
  const app = useStore(await source.load(args), { store });
  const given = await environmentOf(flags);
  if (!quiet) showCalls(app);
  if (worker) beginWork(app, given);
  const options = { port, host, ...originRules(flags), trustProxy, ...(!compression && { compression }), ...given };
  return { app, options };
}

/** The modules or folders that were named, before the options and the command that commander adds. */
const modulesIn = (args: readonly unknown[]) => args.slice(0, -2).flat().map(String);

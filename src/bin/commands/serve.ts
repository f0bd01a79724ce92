import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { hasRealDescriptors } from '../../stdout/descriptor.ts';
import type { TlsOptions } from '../../hosts/certificate.ts';
import type { AppSource } from './app-source.ts';
import { environmentOf, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { beginWork } from '../begin-work.ts';
import { showCalls } from './show-calls.ts';
import { consoleOptions, modulesIn } from '../options/console.ts';
import { originRules, withOrigins } from '../options/origin.ts';
import { withServing } from '../options/serving.ts';
import type { ServingFlags } from '../options/serving.ts';
import { useStore, withStore } from '../options/store.ts';
import type { StoreFlags } from '../options/store.ts';
import { withVerbose } from '../options/verbose.ts';
import type { OriginFlags } from '../options/origin.ts';
import type { Process } from '../process.ts';
import { takeWorkerMark } from '../workers/is-worker.ts';

interface ServeFlags extends ServingFlags, EnvironmentFlags, OriginFlags, StoreFlags {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly workers: number;
}

export function serveCommand(proc: Process, source: AppSource): Command {
  const command = source.declare(
    new Command('serve').description('serve the functions over HTTP and MCP, with an OpenAPI document'),
  );
  withServing(command)
    .option('--tls-cert <file>', 'serve HTTPS with this certificate (PEM); SIGHUP reads it again')
    .option('--tls-key <file>', 'the private key of the certificate (PEM)')
    .option('--workers <number>', 'processes to serve with; auto for as many as there are cores', parseWorkers, 1);
  return withVerbose(proc, withStore(withEnvironment(proc, withOrigins(command)))).action(
    async (...args: unknown[]) => {
      const {
        port,
        host,
        quiet,
        trustProxy,
        allowHost,
        allowOrigin,
        tlsCert,
        tlsKey,
        compression,
        worker,
        workers,
        store,
        names,
      } = command.opts<ServeFlags>();
      const tls = tlsOf(proc, command, tlsCert, tlsKey);
      const isWorker = takeWorkerMark(proc);
      if (workers > 1 && !isWorker) {
        if (!hasRealDescriptors)
          command.error('error: --workers needs Node.js; Bun and Deno cannot hand over connections');
        return (await import('../workers/primary.ts')).serveWithProcesses(proc, { processes: workers, port, host });
      }
      const member = isWorker ? await import('../workers/worker.ts') : undefined;
      member?.prepareWorker(proc);
      const { serveUntilSignal } = await import('./run-serve.ts');
      const app = useStore(await source.load(args as string[]), { store });
      const given = await environmentOf(proc, command.opts<EnvironmentFlags>());
      if (!quiet) showCalls(proc, app);
      if (worker) beginWork(app, given);
      await (member?.serveConnections ?? serveUntilSignal)(proc, app, {
        port,
        host,
        ...originRules({ allowHost, allowOrigin }),
        tls,
        trustProxy,
        names,
        ...(!compression && { compression }),
        console: consoleOptions(proc, command.opts<ServeFlags>(), modulesIn(args)),
        ...given,
      });
    },
  );
}

function tlsOf(proc: Process, command: Command, cert = '', key = ''): TlsOptions | undefined {
  if (cert === '' && key === '') return undefined;
  if (key === '') command.error('error: --tls-cert needs --tls-key');
  if (cert === '') command.error('error: --tls-key needs --tls-cert');
  // Variables may contain the PEM text itself, in which `//` is not a path.
  const [certPath, keyPath] = [cert, key].map((given) => (given.includes('-----BEGIN') ? given : proc.resolve(given)));
  return { cert: certPath!, key: keyPath! };
}

/** Each process takes memory for the whole app: a number that is meant to be a port should not end the machine. */
const MAX_WORKERS = 512;

function parseWorkers(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), MAX_WORKERS);
  const workers = Number(text);
  if (!/^\d+$/.test(text) || workers < 1 || workers > MAX_WORKERS)
    throw new InvalidArgumentError(`expected auto, or a number from 1 to ${MAX_WORKERS}`);
  return workers;
}

import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { hasRealDescriptors } from '../../stdout/descriptor.ts';
import type { TlsOptions } from '../../hosts/certificate.ts';
import type { AppSource } from './app-source.ts';
import { environmentArguments, environmentOf, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { beginWork } from '../begin-work.ts';
import { showCalls } from './show-calls.ts';
import { originRules, withOrigins } from '../options/origin.ts';
import { useStore, withStore } from '../options/store.ts';
import type { StoreFlags } from '../options/store.ts';
import { withVerbose } from '../options/verbose.ts';
import type { OriginFlags } from '../options/origin.ts';
import { takeWorkerMark } from '../workers/is-worker.ts';

interface ServeFlags extends EnvironmentFlags, OriginFlags, StoreFlags {
  readonly port: number;
  readonly host: string;
  readonly quiet?: boolean;
  readonly trustProxy?: string[];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** Set by `--no-compression`. */
  readonly compression: boolean;
  /** Set by `--no-worker`. */
  readonly worker: boolean;
  readonly workers: number;
  /** Set by `--console` and `--no-console`. */
  readonly console?: boolean;
}

export function serveCommand(source: AppSource): Command {
  const command = source.declare(
    new Command('serve').description('serve the functions over HTTP and MCP, with an OpenAPI document'),
  );
  command
    .addOption(
      new Option('--port <number>', 'the port to listen on; 0 for any free one').argParser(parsePort).default(8080),
    )
    .option('--host <address>', 'the address to listen on; 0.0.0.0 for all', '127.0.0.1')
    .option('--tls-cert <file>', 'serve HTTPS with this certificate (PEM); SIGHUP reads it again')
    .option('--tls-key <file>', 'the private key of the certificate (PEM)')
    .option(
      '--trust-proxy <address>',
      "a proxy, or a range such as 10.0.0.0/8, that may say the client's address and scheme; repeatable",
      addProxies,
    )
    .option('--no-compression', 'never compress responses')
    .option('--no-worker', 'leave tasks to other processes; without it, this one works on them, too')
    .option('--workers <number>', 'processes to serve with; auto for as many as there are cores', parseWorkers, 1)
    .option('--console', 'show the console at /console/ wherever the server listens')
    .option('--no-console', 'never show it; by default it is shown on this machine only, outside production')
    .option('--quiet', 'print no line per call on a terminal');
  return withVerbose(withStore(withEnvironment(withOrigins(command)))).action(async (...args: unknown[]) => {
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
      console: typed,
    } = command.opts<ServeFlags>();
    const isNamed = typeof args[0] === 'string';
    const tls = tlsOf(command, tlsCert, tlsKey);
    const isWorker = takeWorkerMark();
    if (workers > 1 && !isWorker) {
      if (!hasRealDescriptors)
        command.error('error: --workers needs Node.js; Bun and Deno cannot hand over connections');
      return (await import('../workers/primary.ts')).serveWithProcesses({ processes: workers, port, host });
    }
    const member = isWorker ? await import('../workers/worker.ts') : undefined;
    member?.prepareWorker();
    const { serveUntilSignal } = await import('./run-serve.ts');
    const app = useStore(await source.load(args as string[]), { store });
    const given = await environmentOf(command.opts<EnvironmentFlags>());
    if (!quiet) showCalls(app);
    if (worker) beginWork(app, given);
    await (member?.serveConnections ?? serveUntilSignal)(app, {
      port,
      host,
      ...originRules({ allowHost, allowOrigin }),
      tls,
      trustProxy,
      ...(!compression && { compression }),
      console: {
        // An app that is a command has no module that another process could be told to load, and may be a built one.
        show: typed ?? (isNamed ? 'loopback' : undefined),
        ...(isNamed && {
          command: [process.execPath, ...process.execArgv, process.argv[1]!],
          flags: environmentArguments(command.opts<EnvironmentFlags>()),
        }),
      },
      ...given,
    });
  });
}

/** Several may be in one value, for the environment variable. */
function addProxies(text: string, sofar?: string[]): string[] {
  return [...(sofar ?? []), ...text.split(/[ ,]+/).filter(Boolean)];
}

function tlsOf(command: Command, cert = '', key = ''): TlsOptions | undefined {
  if (cert === '' && key === '') return undefined;
  if (key === '') command.error('error: --tls-cert needs --tls-key');
  if (cert === '') command.error('error: --tls-key needs --tls-cert');
  return { cert, key };
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

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('expected a number from 0 to 65535');
  return port;
}

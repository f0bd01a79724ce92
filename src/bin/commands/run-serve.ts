import type { AddressInfo } from 'node:net';
import type { App } from '../../app/app.ts';
import { serve } from '../../hosts/node.ts';
import type { NodeHost, ServeOptions } from '../../hosts/node.ts';
import { endProcess } from '../end-process.ts';
import { startApp } from '../start-app.ts';
import { surviveUncaught } from '../uncaught.ts';
import { printError, printWarning } from '../../stdout/stderr.ts';
import { greeting, listenError, openToAll } from './serve-messages.ts';

/** Serves until a signal arrives, then lets calls in progress end. A second signal exits at once. */
export async function serveUntilSignal(app: App, options: ServeOptions): Promise<void> {
  let host: NodeHost | undefined;
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    process.stderr.write(`${signal}: finishing the calls in progress\n`);
    process.exit(await drain(app, host));
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
  await startApp(app, options);
  if (stopping) return;
  try {
    host = await serve(app, options);
  } catch (error) {
    printError(listenError(error as NodeJS.ErrnoException, options));
    await app.close();
    return endProcess(1);
  }
  surviveUncaught();
  if (options.tls) process.on('SIGHUP', () => reloadTls(host));
  const warning = openToAll(app, host.url, (host.server.address() as AddressInfo).address);
  if (warning !== undefined) printWarning(warning);
  // Last, because the reader may send a signal as soon as it sees this.
  process.stderr.write(greeting(app, host));
}

/** Lets calls in progress end, and stops the app. Returns the exit code. */
export async function drain(app: App, host: NodeHost | undefined): Promise<number> {
  const clean = (await host?.drain()) ?? true;
  if (!clean) printError(`some calls did not end within ${app.limits.drain} ms`);
  const stopped = await app.close();
  return clean && stopped ? 0 : 1;
}

/** Connections stay open; new ones get the new certificate. Without TLS, SIGHUP ends the process, as it does by default. */
function reloadTls(host: NodeHost): void {
  try {
    host.reloadTls();
    process.stderr.write('SIGHUP: the certificate was read again\n');
  } catch (error) {
    printError(`${(error as Error).message}; the previous certificate stays in use`);
  }
}

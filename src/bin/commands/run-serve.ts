import type { AddressInfo } from 'node:net';
import type { App } from '../../app/app.ts';
import { serve } from '../../hosts/node.ts';
import type { NodeHost, ServeOptions } from '../../hosts/node.ts';
import type { Process } from '../process.ts';
import { startApp } from '../start-app.ts';
import { surviveUncaught } from '../uncaught.ts';
import { greeting, listenError, openToAll } from './serve-messages.ts';

/** Serves until a signal arrives, then lets calls in progress end. A second signal exits at once. */
export async function serveUntilSignal(proc: Process, app: App, options: ServeOptions): Promise<void> {
  let host: NodeHost | undefined;
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return proc.end(1);
    stopping = true;
    proc.stderr.write(`${signal}: finishing the calls in progress\n`);
    proc.end(await drain(proc, app, host));
  };
  proc.on('SIGTERM', (signal) => void stop(signal));
  proc.on('SIGINT', (signal) => void stop(signal));
  await startApp(proc, app, options);
  if (stopping) return;
  try {
    host = await serve(app, options);
  } catch (error) {
    proc.printError(listenError(error as NodeJS.ErrnoException, options));
    await app.close();
    return proc.end(1);
  }
  surviveUncaught(proc);
  if (options.tls) proc.on('SIGHUP', () => reloadTls(proc, host));
  const warning = openToAll(app, host.url, (host.server.address() as AddressInfo).address);
  if (warning !== undefined) proc.printWarning(warning);
  // Last, because the reader may send a signal as soon as it sees this.
  proc.stderr.write(greeting(app, host));
}

/** Lets calls in progress end, and stops the app. Returns the exit code. */
export async function drain(proc: Process, app: App, host: NodeHost | undefined): Promise<number> {
  const clean = (await host?.drain()) ?? true;
  if (!clean) proc.printError(`some calls did not end within ${app.limits.drain} ms`);
  const stopped = await app.close();
  return clean && stopped ? 0 : 1;
}

/** Connections stay open; new ones get the new certificate. Without TLS, SIGHUP ends the process, as it does by default. */
function reloadTls(proc: Process, host: NodeHost): void {
  try {
    host.reloadTls();
    proc.stderr.write('SIGHUP: the certificate was read again\n');
  } catch (error) {
    proc.printError(`${(error as Error).message}; the previous certificate stays in use`);
  }
}

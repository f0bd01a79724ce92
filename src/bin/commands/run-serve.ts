import type { AddressInfo } from 'node:net';
import type { App } from '../../app/app.ts';
import { isLoopback } from '../../hosts/default-hosts.ts';
import { serve } from '../../hosts/node.ts';
import type { NodeHost, ServeOptions } from '../../hosts/node.ts';
import { banner } from '../banner.ts';
import { endProcess } from '../end-process.ts';
import { startApp } from '../start-app.ts';
import { surviveUncaught } from '../uncaught.ts';
import { printError, printWarning } from '../../stdout/stderr.ts';

/** Serves until a signal arrives, then lets calls in progress end. A second signal exits at once. */
export async function serveUntilSignal(app: App, options: ServeOptions): Promise<void> {
  let host: NodeHost | undefined;
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    process.stderr.write(`${signal}: finishing the calls in progress\n`);
    const clean = (await host?.drain()) ?? true;
    if (!clean) printError(`some calls did not end within ${app.limits.drain} ms`);
    const stopped = await app.close();
    process.exit(clean && stopped ? 0 : 1);
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
  if (!app.access && !isLoopback(boundTo(host))) printWarning(openToAll(host.url));
  // Last, because the reader may send a signal as soon as it sees this.
  process.stderr.write(greeting(app, host.url));
}

const boundTo = ({ server }: NodeHost) => (server.address() as AddressInfo).address;

/** Everybody on the network is a caller, and nothing asks who they are. */
const openToAll = (url: string) =>
  `everybody who can reach ${url} can call every function; createApp({ access: { … } }) says who may (docs/access.md)`;

/** Connections stay open; new ones get the new certificate. Without TLS, SIGHUP ends the process, as it does by default. */
function reloadTls(host: NodeHost): void {
  try {
    host.reloadTls();
    process.stderr.write('SIGHUP: the certificate was read again\n');
  } catch (error) {
    printError(`${(error as Error).message}; the previous certificate stays in use`);
  }
}

function listenError({ code, message }: NodeJS.ErrnoException, { port, host }: ServeOptions): string {
  if (code === 'EADDRINUSE') return `port ${port} is in use; choose another with --port`;
  if (code === 'EACCES') return `not allowed to listen on port ${port}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${host} is not an address of this machine`;
  return message;
}

function greeting(app: App, url: string): string {
  const lines = [
    banner(app),
    '',
    `  HTTP      ${url}/functions/<name>`,
    `  OpenAPI   ${url}/openapi.json`,
    `  MCP       ${url}/mcp`,
    '',
  ];
  const fn = app.functions.find(({ definition }) => definition.examples?.[0]);
  const example = JSON.stringify(fn?.definition.examples?.[0]?.input);
  if (fn && !example.includes("'")) {
    lines.push(
      'Try:',
      `  curl ${url.startsWith('https') ? '--insecure ' : ''}--json '${example}' ${url}/functions/${fn.name}`,
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}

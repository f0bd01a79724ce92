import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import type { App } from '../../app/app.ts';
import { contractOf } from '../../contract/contract.ts';
import { listen } from '../../hosts/node.ts';
import type { ServeOptions, WorkerHost } from '../../hosts/node.ts';
import { inputsOf } from '../../load/app-origin.ts';
import { isMissingVariable } from '../../load/module-error.ts';
import { drain } from '../commands/run-serve.ts';
import { greeting, openToAll } from '../commands/serve-messages.ts';
import type { Process } from '../process.ts';
import { startApp } from '../start-app.ts';
import { surviveUncaught } from '../uncaught.ts';
import { prepareWorker } from '../workers/worker.ts';
import { importedFiles, isForeign } from './imported-files.ts';
import { watchLoading } from './loaded-files.ts';
import { isDevOrder } from './messages.ts';
import type { DevOrder, DevReport } from './messages.ts';
import { createRemoteState } from './remote-state.ts';

/** Loads a version of the app in this process, and serves what the process that the user started passes on. */
export async function serveVersion(
  proc: Process,
  modules: readonly string[],
  load: () => Promise<{ readonly app: App; readonly options: ServeOptions }>,
): Promise<void> {
  prepareWorker(proc);
  let folder: string | undefined;
  process.once('disconnect', () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    proc.end(1);
  });
  const state = createRemoteState(send);
  let app: App | undefined;
  let host: WorkerHost | undefined;
  const serve = new Promise<DevOrder & { readonly everywire: 'serve' }>((resolve) => {
    process.on('message', (order) => {
      if (!isDevOrder(order)) return;
      if (order.everywire === 'serve') resolve(order);
      else if (order.everywire === 'announce') for (const kind of order.kinds) app?.changes.listChanged(kind);
      else if (order.everywire === 'end') void end(proc, app, host);
      else state.receive(order);
    });
  });

  // First what the text says: the code may end the process in any way.
  send({ everywire: 'files', files: importedFiles(modules) });
  const loading = await watchLoading();
  const report = () => {
    const types = app ? inputsOf(app).filter((path) => !isForeign(path)) : [];
    send({ everywire: 'files', files: [...loading.files(), ...types] });
    loading.close();
  };
  const stop = proc.on('exit', report);
  const { app: loaded, options } = await load();
  app = loaded;
  app.share.use(state);
  await startApp(proc, app, options).catch((error: unknown) => {
    if (isMissingVariable(error)) send({ everywire: 'variable-missing' });
    throw error;
  });
  process.channel?.ref();
  send({ everywire: 'started' });
  const { address, path } = await serve;
  folder = dirname(path);
  let take: ((socket: Socket) => void) | undefined;
  host = await listen([{ base: '', app }], options, {
    address,
    onConnection: (given) => void (take = given),
    secret: undefined,
    stateless: false,
    isChanging: true,
  });
  await acceptAt(path, (socket) => take?.(socket));
  surviveUncaught(proc);
  stop();
  report();
  send({
    everywire: 'serving',
    contract: contractOf(app),
    greeting: greeting(app, host),
    warning: openToAll(app, host.url, address.address),
    drain: app.limits.drain,
  });
}

/** Every connection begins with a line about its client. It is answered before the request is sent. */
function acceptAt(path: string, take: (socket: Socket) => void): Promise<void> {
  const server = createServer((socket) => {
    let line = '';
    const read = () => {
      line += ((socket.read() as Buffer | null) ?? '').toString();
      if (!line.endsWith('\n')) return;
      socket.off('readable', read);
      const client = JSON.parse(line) as Readonly<Record<string, unknown>>;
      for (const [name, value] of Object.entries(client)) Object.defineProperty(socket, name, { value });
      take(socket);
      socket.write(' ');
    };
    socket.on('error', () => {}); // the HTTP server has a listener of its own
    socket.on('readable', read);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, () => resolve());
  });
}

/** No call is under way, unless the user ends the command. */
async function end(proc: Process, app: App | undefined, host: WorkerHost | undefined): Promise<void> {
  if (app) return proc.end(await drain(proc, app, host));
  // It is still loading, and out of date. Without a word about that: `exit` would be reported as a mistake of the module.
  process.kill(process.pid, 'SIGKILL');
}

/** Fails only if the other process is gone, which `disconnect` reports. */
function send(report: DevReport): void {
  if (process.connected) process.send!(report, () => {});
}

import type { Socket } from 'node:net';
import type { App } from '../../app/app.ts';
import { listen } from '../../hosts/node.ts';
import type { ServeOptions, WorkerHost } from '../../hosts/node.ts';
import { drain } from '../commands/run-serve.ts';
import { greeting, openToAll } from '../commands/serve-messages.ts';
import type { Process } from '../process.ts';
import { startApp } from '../start-app.ts';
import { surviveUncaught } from '../uncaught.ts';
import { mistakeInSharing, noteOnSessions, sharesSessions } from './check-shared.ts';
import { isOrder } from './messages.ts';
import type { Order, Report } from './messages.ts';
import { shareChanges } from './share-changes.ts';

/**
 * Before the app is loaded. The main process decides when this one ends: signals from a terminal or a service manager reach both.
 * Until it serves, the channel does not keep the process alive, so that an app which waits for nothing is noticed.
 */
export function prepareWorker(proc: Process): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) proc.on(signal, () => {});
  process.channel?.unref();
}

/** Serves the connections that the main process hands over, until it says otherwise. */
export async function serveConnections(proc: Process, app: App, options: ServeOptions): Promise<void> {
  const mistake = mistakeInSharing(app);
  if (mistake !== undefined) {
    proc.printError(mistake);
    return proc.end(2);
  }
  let host: WorkerHost | undefined;
  let isStopping = false;
  let take: ((socket: Socket) => void) | undefined;
  // With a shared store, changes go through that.
  const onChange = sharesSessions(app)
    ? undefined
    : shareChanges(app, (change) => send({ everywire: 'change', change }));
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    proc.end(await drain(proc, app, host));
  };
  const retire = async () => {
    await host?.retire();
    const isClean = await app.close();
    if (!isStopping) proc.end(isClean ? 0 : 1);
  };
  const ordered = new Promise<Order & { readonly everywire: 'serve' }>((resolve) => {
    process.on('message', (message, socket) => {
      if (!isOrder(message)) return;
      if (message.everywire === 'serve') resolve(message);
      else if (message.everywire === 'change') onChange?.(message.change);
      else if (message.everywire === 'drain') void stop();
      else if (message.everywire === 'retire') void (host ? retire() : stop());
      else {
        send({ everywire: 'taken' });
        if (socket) take?.(socket as Socket); // the client may be gone
      }
    });
  });
  process.on('disconnect', () => {
    proc.printError('the main process is gone; finishing the calls in progress');
    void stop();
  });
  await startApp(proc, app, options);
  if (isStopping) return;
  process.channel?.ref();
  send({ everywire: 'started' });
  const { address, secret, processes } = await ordered;
  try {
    host = await listen([{ base: '', app }], options, {
      address,
      onConnection: (given) => void (take = given),
      secret: sharesSessions(app) ? undefined : secret,
      stateless: !sharesSessions(app),
    });
  } catch (error) {
    proc.printError((error as Error).message);
    await app.close();
    return proc.end(1);
  }
  surviveUncaught(proc);
  send({
    everywire: 'serving',
    greeting: greeting(app, host, processes),
    warning: openToAll(app, host.url, address.address),
    note: noteOnSessions(app),
    drain: app.limits.drain,
  });
}

/** Fails only if the main process is gone, which `disconnect` reports. */
function send(report: Report): void {
  if (process.connected) process.send!(report, () => {});
}

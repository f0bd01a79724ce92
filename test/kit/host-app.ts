import { createApp, defineFunction, type App, type AppOptions } from 'everywire';
import { serve, type NodeHost, type ServeOptions } from 'everywire/node';

/** The calls of Wait: functions that end those that are running, and how many were cancelled. */
export const waiting = { running: [] as (() => void)[], aborted: 0 };

/** What the app has logged as errors. */
export const logged: { readonly message: string; readonly fields: Record<string, unknown> }[] = [];

const echo = defineFunction({
  name: 'Echo',
  description: 'Echoes',
  input: { type: 'object', properties: { text: { type: 'string', description: 'Text' } }, additionalProperties: true },
  output: { description: 'What arrived' },
  run: (input) => input,
});

const wait = defineFunction({
  name: 'Wait',
  description: 'Waits to be told',
  input: { type: 'object', properties: { id: { type: 'integer', description: 'Which' } } },
  output: { description: 'Its id, or that it is done' },
  run: ({ id }, { signal }) => {
    signal.addEventListener('abort', () => waiting.aborted++);
    return new Promise<unknown>((resolve) => waiting.running.push(() => resolve(id ?? 'done'))) as never;
  },
});

/** The app that tests of hosts serve: it returns what it gets, or waits. More functions are added to these two. */
export function createHostApp({ functions = [], ...options }: Partial<AppOptions> = {}): App {
  const error = (message: string, fields: object = {}) => void logged.push({ message, fields: { ...fields } });
  const log = { debug() {}, info() {}, warn() {}, error };
  return createApp({ name: 'Host', version: '1.0.0', log, ...options, functions: [echo, wait, ...functions] }) as App;
}

const hosts: NodeHost[] = [];

/** Serves an app on a free port until `stopHosts`. */
export async function startHost(app: Partial<AppOptions> | App = {}, options: ServeOptions = {}): Promise<NodeHost> {
  const host = await serve('fetch' in app ? (app as App) : createHostApp(app), { port: 0, ...options });
  hosts.push(host);
  return host;
}

/** For `afterEach`: ends the calls that wait, and stops the servers. */
export async function stopHosts(): Promise<void> {
  for (const end of waiting.running.splice(0)) end();
  await Promise.all(hosts.splice(0).map((host) => host.drain()));
  waiting.aborted = 0;
  logged.length = 0;
}

import type { App } from '../app/app.ts';
import type { ConsoleOptions } from '../console-server/console-options.ts';
import type { Console, createConsole } from '../console-server/create-console.ts';
import { refuse } from '../core/failure.ts';
import { lazily } from '../core/lazily.ts';
import type { HttpRequest } from '../wires/http/message.ts';
import type { OtherPaths } from '../wires/http/router.ts';
import { isLoopback } from './default-hosts.ts';
import { isPassedOn } from './is-passed-on.ts';
import type { ServeOptions } from './node.ts';

/** The option `console` of a server. */
export interface ShowConsoleOptions extends ConsoleOptions {
  /** `loopback`: only to this machine, and outside production. */
  readonly show?: boolean | 'loopback' | undefined;
}

/** The consoles of the apps of a server. */
export interface Consoles {
  readonly pathsOf: (app: App) => OtherPaths;
  isShown(app: App): boolean;
  /** Ends the streams that would never end. */
  close(): Promise<void>;
}

/** Decides where the console is shown. The address is known once the server listens. */
export function createConsoles(
  { console: given, hosts, trustProxy }: Pick<ServeOptions, 'console' | 'hosts' | 'trustProxy'>,
  address: () => string,
): Consoles {
  const { show, ...options } = typeof given === 'object' ? given : { show: given };
  const loaded = new Set<Promise<Console>>();
  /** Nobody else can connect, and nobody is expected to pass on requests of others. */
  const isAlone = () => isLoopback(address()) && !hosts && !trustProxy;
  /** What the server says comes first, then what the app says. */
  const isAsked = (app: App) => (typeof show === 'boolean' ? show : app.console);
  const isShown = (app: App) =>
    isAsked(app) ?? (show === 'loopback' && isAlone() && process.env['NODE_ENV'] !== 'production');

  return {
    isShown,
    pathsOf(app) {
      // Processes that are started here are those of the user of this machine. Callers from elsewhere must be known.
      const mayStart = (request: HttpRequest) => app.access !== undefined || (isAlone() && !isPassedOn(request));
      const load = lazily(() => {
        const started = loadConsole(app, options, mayStart);
        loaded.add(started);
        started.catch(() => loaded.delete(started));
        return started;
      });
      return (path, request) => {
        const isOurs = path === '/console' || path.startsWith('/console/') || (path === '/' && takesPages(request));
        if (!isOurs || !isShown(app) || (isAsked(app) === undefined && isPassedOn(request))) return undefined;
        return load().then((it) => it.handle(path, request));
      };
    },
    // One that could not be loaded must not keep the server from stopping.
    close: async () => void (await Promise.allSettled([...loaded].map(async (one) => (await one).close()))),
  };
}

/** With the first request for it. */
async function loadConsole(...parameters: Parameters<typeof createConsole>): Promise<Console> {
  // A built app is one file, without the console.
  const found = await import('../console-server/create-console.ts').catch(ifMissing);
  return found ? found.createConsole(...parameters) : NONE;
}

/** A browser that opens the address of the server. Programs get what they always got. */
function takesPages({ method, headers }: HttpRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && String(headers['accept'] ?? '').includes('text/html');
}

function ifMissing(thrown: NodeJS.ErrnoException): undefined {
  if (!thrown.code?.endsWith('MODULE_NOT_FOUND')) throw thrown;
}

const NONE: Console = {
  handle: async () =>
    refuse('NOT_FOUND', 'The console is not part of a built app; "everywire serve <module>" shows it'),
  close: async () => {},
};

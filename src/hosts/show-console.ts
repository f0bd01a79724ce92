import type { App } from '../app/app.ts';
import type { ConsoleOptions } from '../console-server/console-options.ts';
import type { Console } from '../console-server/create-console.ts';
import { refuse } from '../core/failure.ts';
import type { HttpRequest } from '../wires/http/message.ts';
import type { OtherPaths } from '../wires/http/router.ts';
import { isLoopback } from './default-hosts.ts';

/** The option `console` of a server. */
export interface ShowConsoleOptions extends ConsoleOptions {
  /** `loopback`: only where nobody but this machine can connect, and outside production. */
  readonly show?: boolean | 'loopback' | undefined;
}

/** Whether a server shows the console. What the server says comes first, then what the app says. */
export function showsConsole(app: Pick<App, 'console'>, show: ShowConsoleOptions['show'], address: string): boolean {
  if (typeof show === 'boolean') return show;
  if (app.console !== undefined) return app.console;
  return show === 'loopback' && isLoopback(address) && process.env['NODE_ENV'] !== 'production';
}

export interface ConsolePaths {
  readonly find: OtherPaths;
  /** Ends the streams that would never end. */
  close(): Promise<void>;
}

/** Loads the console with the first request for it. */
export function createConsolePaths(app: App, isShown: () => boolean, options: ConsoleOptions): ConsolePaths {
  let loading: Promise<Console> | undefined;
  const load = async () => {
    // A built app is one file, without the console.
    const found = await import('../console-server/create-console.ts').catch(ifMissing);
    return found ? found.createConsole(app, options) : NONE;
  };
  return {
    find(path, request) {
      const isOurs = path === '/console' || path.startsWith('/console/') || (path === '/' && takesPages(request));
      return isOurs && isShown() ? (loading ??= load()).then((it) => it.handle(path, request)) : undefined;
    },
    close: async () => (await loading)?.close(),
  };
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

import type { App } from '../../app/app.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import type { HttpReply, HttpRequest } from './message.ts';
import { ROUTES } from './routes.ts';
import type { HandlerName, Route } from './routes.ts';

export type Handler = (request: HttpRequest, query: string, match: Match) => HttpReply | Promise<HttpReply>;

/** The route of a path, and what the path names. */
export interface Match {
  readonly route: Route;
  readonly handle: Handler;
  /** Whether the handler is called for every method. */
  readonly anyMethod: boolean;
  /** The value of the path's parameter, decoded; empty without a parameter. */
  readonly parameter: string;
  readonly fn: RegisteredFunction | undefined;
}

/** Finds the route of a path. Paths without a parameter, and those of functions, take one look into a map. */
export function createRouter(
  app: App,
  handlers: Readonly<Record<HandlerName, Handler>>,
): (path: string) => Match | undefined {
  const exact = new Map<string, Match>();
  const prefixes: (readonly [prefix: string, match: Match])[] = [];
  for (const route of ROUTES as readonly (Route & { readonly handler: HandlerName })[]) {
    const { path, perFunction, anyMethod = false } = route;
    const match: Match = { route, handle: handlers[route.handler], anyMethod, parameter: '', fn: undefined };
    const prefix = path.replace(/\{\w+\}$/, '');
    if (prefix === path) exact.set(path, match);
    else prefixes.push([prefix, match]);
    if (perFunction) for (const fn of app.functions) exact.set(prefix + fn.name, { ...match, parameter: fn.name, fn });
  }

  return (path) => exact.get(path) ?? matchPrefix(path);

  function matchPrefix(path: string): Match | undefined {
    for (const [prefix, match] of prefixes) {
      if (!path.startsWith(prefix)) continue;
      const parameter = decode(path.slice(prefix.length));
      if (!match.route.perFunction) return { ...match, parameter };
      const fn = app.find(parameter);
      // A call of an unknown function fails in the pipeline, whatever the method, so that it is recorded.
      return { ...match, parameter, fn, anyMethod: !fn };
    }
    return undefined;
  }
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

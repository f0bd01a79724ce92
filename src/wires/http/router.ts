import type { App } from '../../app/app.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import type { Encoder } from './codec.ts';
import { allowHeader, optionsReply, withCors } from './cors.ts';
import type { HttpReply, HttpRequest } from './message.ts';
import type { OriginCheck } from './origin.ts';
import { methodNotAllowed, noSuchPath, stopping } from './refusals.ts';
import { ALL_METHODS, ROUTES } from './routes.ts';
import type { HandlerName, Route } from './routes.ts';
import { splitTarget } from './target.ts';
import type { HttpWire } from './wire.ts';

export type Handler = (request: HttpRequest, query: string, match: Match) => HttpReply | Promise<HttpReply>;

/** The route of a path, and what the path names. */
interface Match {
  readonly route: Route;
  readonly handle: Handler;
  /** Whether the handler is called for every method. */
  readonly anyMethod: boolean;
  /** The value of the path's parameter, decoded; empty without a parameter. */
  readonly parameter: string;
  readonly fn: RegisteredFunction | undefined;
}

export interface RouterOptions {
  /** The wire that callers are said to come from. */
  readonly name: string;
  readonly encoder: Encoder;
  readonly refuseOrigin: OriginCheck;
  /** `outer`: no CORS headers. */
  readonly cors?: 'outer' | undefined;
  readonly ready: () => boolean;
  readonly handlers: Readonly<Record<HandlerName, Handler>>;
}

/** From a request to its handler, or to 403, 404, 405 and 503; also OPTIONS and the headers of CORS. */
export function createRouter(
  app: App,
  { name, encoder, refuseOrigin, cors, ready, handlers }: RouterOptions,
): Pick<HttpWire, 'handle' | 'fail' | 'serves'> {
  const { choose, encodeFailure } = encoder;
  const findRoute = compileRoutes(app, handlers);

  return {
    handle(request) {
      if (app.events.isObserved) reportAccepted(request);
      try {
        const reply = respond(request);
        return reply instanceof Promise ? reply.catch((thrown: unknown) => fail(thrown, request)) : reply;
      } catch (thrown) {
        return fail(thrown, request);
      }
    },
    fail,
    serves: (target) => findRoute(splitTarget(target).path) !== undefined,
  };

  function respond(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const { target, headers } = request;
    const refused = refuseOrigin(target, headers);
    if (refused) return encodeFailure(refused, choose('', headers));
    const reply = route(request);
    if (headers['origin'] === undefined || cors === 'outer') return reply;
    return reply instanceof Promise ? reply.then((late) => withCors(late, headers)) : withCors(reply, headers);
  }

  function route(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const { method, headers } = request;
    const { path, query } = splitTarget(request.target);
    const match = findRoute(path);
    if (!ready() && !match?.route.whileStopping) return encodeFailure(stopping(), choose('', headers));
    if (match && (match.anyMethod || match.route.methods.includes(method))) return match.handle(request, query, match);
    if (method === 'OPTIONS' && (match || path === '*')) return optionsReply(match?.route.methods ?? ALL_METHODS, cors);
    const profile = choose(query, headers);
    if (!match) return encodeFailure(noSuchPath(path), profile);
    const allow = allowHeader(match.route.methods);
    const refused = encodeFailure(methodNotAllowed(method, allow), profile);
    return { ...refused, headers: { ...refused.headers, allow } };
  }

  function reportAccepted({ method, target }: HttpRequest): void {
    // Not the query, which may contain secrets.
    app.events.emit({ step: 'accepted', wire: name, subject: `${method} ${splitTarget(target).path}` });
  }

  /** A bug of ours must neither leave a request without a response nor go unlogged. */
  function fail(thrown: unknown, request?: Pick<HttpRequest, 'target' | 'headers'>): HttpReply {
    const failure = app.reportError(thrown, { part: name });
    return encodeFailure(failure, request && choose(splitTarget(request.target).query, request.headers));
  }
}

/** Finds the route of a path. Paths without a parameter, and those of functions, take one look into a map. */
function compileRoutes(app: App, handlers: RouterOptions['handlers']): (path: string) => Match | undefined {
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

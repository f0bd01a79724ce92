import type { App } from '../../app/app.ts';
import type { Encoder } from './codec.ts';
import type { Failed } from '../../core/outcome.ts';
import type { Principal } from '../../core/principal.ts';
import { createCallerReader } from './caller.ts';
import { createCredentialsReader } from './credentials.ts';
import { allowHeader, optionsReply, varyByOrigin } from './cors.ts';
import type { Cors } from './cors.ts';
import { compileRoutes } from './find-route.ts';
import type { Handlers, Match } from './find-route.ts';
import type { HttpHeaders, HttpReply, HttpRequest } from './message.ts';
import type { OriginCheck } from './origin.ts';
import { methodNotAllowed, noSuchPath, stopping } from './refusals.ts';
import { ALL_METHODS } from './routes.ts';
import { splitTarget } from './target.ts';
import type { HttpWire } from './wire.ts';

/** What a host serves in addition to the app, where nothing of the app is; undefined where that is nothing either. */
export type OtherPaths = (path: string, request: HttpRequest) => Promise<HttpReply | Failed> | undefined;

export interface RouterOptions {
  /** The wire that callers are said to come from. */
  readonly name: string;
  readonly encoder: Encoder;
  readonly refuseOrigin: OriginCheck;
  /** Undefined if no other origin may call. */
  readonly cors: Cors | undefined;
  readonly ready: () => boolean;
  readonly handlers: Handlers;
  readonly otherPaths?: OtherPaths | undefined;
}

/** From a request to its handler, or to 403, 404, 405 and 503; also OPTIONS and the headers of CORS. */
export function createRouter(
  app: App,
  { name, encoder, refuseOrigin, cors, ready, handlers, otherPaths }: RouterOptions,
): Pick<HttpWire, 'handle' | 'refuse' | 'fail' | 'serves' | 'uploadLimit'> {
  const { choose, encodeFailure } = encoder;
  const findRoute = compileRoutes(app, handlers);
  const allMethods = [...new Set([...ALL_METHODS, ...app.functions.map(({ http }) => http.method)])];
  const readCaller = createCallerReader(app, name);
  const readCredentials = createCredentialsReader(app);

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
    refuse,
    fail,
    serves: (target) => findRoute(splitTarget(target).path) !== undefined,
    uploadLimit({ method, target }) {
      if (method !== 'POST' && method !== 'PUT' && method !== 'PATCH') return undefined;
      const match = findRoute(splitTarget(target).path);
      // Nobody is identified yet: what is hidden must be received like what does not exist.
      const isUpload = app.access?.hides ? !isAlwaysShown(match) : match?.actions.get(method)?.fn?.takesFiles;
      return isUpload ? app.limits.file + app.limits.body : undefined;
    },
  };

  function respond(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const { target, headers } = request;
    const refused = refuseOrigin(target, headers, request);
    if (refused && !findRoute(splitTarget(target).path)?.anyOrigin) return refuse(refused, headers);
    const reply = route(request);
    if (!cors) return reply;
    return reply instanceof Promise
      ? reply.then((late) => cors.apply(late, headers, request))
      : cors.apply(reply, headers, request);
  }

  function route(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const { headers } = request;
    const { path, query } = splitTarget(request.target);
    if (!app.access?.hides) return routeTo(findRoute(path), request, path, query);
    // A preflight request has no credentials, so it gets the same response for every function, hidden or not.
    if (request.method === 'OPTIONS') {
      const match = findRoute(path, () => false);
      return routeTo(match?.actions.size === 0 ? undefined : match, request, path, query);
    }
    const decide = (found: Principal | Failed) => {
      const isKnown = !('ok' in found);
      const match = findRoute(path, (fn) => isKnown && app.access!.shows(found, fn));
      // Wrong credentials must not show which paths there are.
      return isKnown || match ? routeTo(match, request, path, query) : refuse(found, headers);
    };
    const found = app.access.identify({ caller: readCaller(request), credentials: readCredentials?.(request) });
    return found instanceof Promise ? found.then(decide) : decide(found);
  }

  function routeTo(
    match: Match | undefined,
    request: HttpRequest,
    path: string,
    query: string,
  ): HttpReply | Promise<HttpReply> {
    const { method, headers } = request;
    if (!ready() && !match?.whileStopping) return encodeFailure(stopping(), choose('', headers));
    const other = match ? undefined : otherPaths?.(path, request);
    if (other) return other.then((reply) => ('ok' in reply ? encodeFailure(reply, choose(query, headers)) : reply));
    const action = match && (match.actions.get(method) ?? match.otherwise);
    if (action) return action.handle(request, query, match, action.fn);
    if (method === 'OPTIONS' && (match || path === '*' || app.access?.hides))
      return optionsReply(match?.methods ?? allMethods, match?.anyOrigin);
    const profile = choose(query, headers);
    if (!match) return encodeFailure(noSuchPath(path), profile);
    const allow = allowHeader(match.methods);
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
    if (!request) return encodeFailure(failure, undefined);
    const { target, headers } = request;
    return readable(encodeFailure(failure, choose(splitTarget(target).query, headers)), headers);
  }

  function refuse(failure: Failed, headers: HttpHeaders = {}): HttpReply {
    return readable(encodeFailure(failure, choose('', headers)), headers);
  }

  /** Lets a page read why its request failed, if it may call at all. */
  function readable(reply: HttpReply, headers: HttpHeaders): HttpReply {
    if (!refuseOrigin('/', headers)) return cors ? cors.apply(reply, headers) : reply;
    return headers['origin'] === undefined ? reply : varyByOrigin(reply);
  }
}

const isAlwaysShown = (match: Match | undefined) =>
  match !== undefined && !match.forTasks && [...match.actions.values()].some(({ fn }) => !fn);

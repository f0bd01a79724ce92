import type { App } from '../../app/app.ts';
import type { Environment } from '../../core/context.ts';
import type { Failed } from '../../core/outcome.ts';
import { createCallFunction } from './call-function.ts';
import { allowHeader, optionsReply, withCors } from './cors.ts';
import { createEncoder } from './encode.ts';
import { health, readiness } from './health.ts';
import { createLazyMcp } from './lazy-mcp.ts';
import type { HttpHeaders, HttpReply, HttpRequest } from './message.ts';
import { createOpenApiReply } from './openapi-reply.ts';
import { createOriginCheck } from './origin.ts';
import type { OriginRules } from './origin.ts';
import { methodNotAllowed, noSuchPath, stopping } from './refusals.ts';
import { createResourceHandlers } from './resources.ts';
import { createRouter } from './router.ts';
import { ALL_METHODS } from './routes.ts';
import { splitTarget } from './target.ts';

export interface HttpWireOptions extends OriginRules {
  readonly environment?: Environment | undefined;
  /** The wire that functions see in `caller`; `http` by default. */
  readonly name?: string;
  /** The path under which everything is served, for the OpenAPI document; `/` by default. */
  readonly base?: string | undefined;
  /** Whether nothing can be kept between requests. */
  readonly stateless?: boolean;
  /** Whether new calls are accepted; if not, every path except `/healthz` responds with 503. */
  readonly ready?: () => boolean;
}

export interface HttpWire {
  handle(request: HttpRequest): HttpReply | Promise<HttpReply>;
  /** Responds to what never became a request: too large, malformed, too slow. Uses the headers, if there are any. */
  refuse(failure: Failed, headers?: HttpHeaders): HttpReply;
  /** Responds to an error in our own code, and logs it. */
  fail(thrown: unknown, request?: Pick<HttpRequest, 'target' | 'headers'>): HttpReply;
  /** Ends streams that would never end; running calls continue. */
  endListening(): Promise<void>;
  /** Ends everything that is kept between requests. */
  close(): Promise<void>;
}

/** Serves an app over HTTP: every path in the route table. */
export function createHttpWire(app: App, options: HttpWireOptions = {}): HttpWire {
  const { ready = () => true } = options;
  const encoder = createEncoder(app);
  const { choose, encodeFailure } = encoder;
  const refuseOrigin = createOriginCheck(options);
  const mcp = createLazyMcp(app, options, encoder);
  const findRoute = createRouter(app, {
    callFunction: createCallFunction(app, options, encoder),
    openApi: createOpenApiReply(app, options.base),
    ...createResourceHandlers(app, options, encoder),
    mcp: mcp.handle,
    health,
    readiness: () => readiness(ready()),
  });

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
    refuse(failure, headers = {}) {
      const refused = encodeFailure(failure, choose('', headers));
      const isReadable = headers['origin'] !== undefined && !refuseOrigin('/', headers);
      return isReadable ? withCors(refused, headers) : refused;
    },
    fail,
    endListening: async () => (await mcp.loaded())?.endListening(),
    close: async () => (await mcp.loaded())?.close(),
  };

  function respond(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const { target, headers } = request;
    const refused = refuseOrigin(target, headers);
    if (refused) return encodeFailure(refused, choose('', headers));
    const reply = route(request);
    if (headers['origin'] === undefined) return reply;
    return reply instanceof Promise ? reply.then((late) => withCors(late, headers)) : withCors(reply, headers);
  }

  function route(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const { method, headers } = request;
    const { path, query } = splitTarget(request.target);
    const match = findRoute(path);
    if (!ready() && !match?.route.whileStopping) return encodeFailure(stopping(), choose('', headers));
    if (match && (match.anyMethod || match.route.methods.includes(method))) return match.handle(request, query, match);
    if (method === 'OPTIONS' && (match || path === '*')) return optionsReply(match?.route.methods ?? ALL_METHODS);
    const profile = choose(query, headers);
    if (!match) return encodeFailure(noSuchPath(path), profile);
    const allow = allowHeader(match.route.methods);
    const refused = encodeFailure(methodNotAllowed(method, allow), profile);
    return { ...refused, headers: { ...refused.headers, allow } };
  }

  function reportAccepted({ method, target }: HttpRequest): void {
    // Not the query, which may contain secrets.
    const subject = `${method} ${splitTarget(target).path}`;
    app.events.emit({ step: 'accepted', wire: options.name ?? 'http', subject });
  }

  /** A bug of ours must neither leave a request without a response nor go unlogged. */
  function fail(thrown: unknown, request?: Pick<HttpRequest, 'target' | 'headers'>): HttpReply {
    const failure = app.reportError(thrown, { part: options.name ?? 'http' });
    return encodeFailure(failure, request && choose(splitTarget(request.target).query, request.headers));
  }
}

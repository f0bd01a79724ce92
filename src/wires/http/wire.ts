import type { App } from '../../app/app.ts';
import type { Environment } from '../../core/context.ts';
import type { Failed } from '../../core/outcome.ts';
import { createEncoder, createFunctionHandlers, createHandlersWithHttp } from './codec.ts';
import { resolveCors } from './cors.ts';
import { health, readiness } from './health.ts';
import { createLazyMcp } from './lazy-mcp.ts';
import { createLazyTaskHandlers } from './lazy-tasks.ts';
import type { HttpHeaders, HttpReply, HttpRequest } from './message.ts';
import { createOpenApiReply } from './openapi/reply.ts';
import { createOriginCheck, isSameOrigin } from './origin.ts';
import type { OriginRules } from './origin.ts';
import { createPublicUrl } from './public-url.ts';
import { createResourceHandlers } from './resources.ts';
import { createMetadataReply } from './resource-metadata.ts';
import { createRouter } from './router.ts';
import type { OtherPaths } from './router.ts';
import { refuseSimple } from './simple-request.ts';
import { Waiting } from './waiting.ts';

export interface HttpWireOptions extends OriginRules {
  readonly environment?: Environment | undefined;
  /** The wire that functions see in `caller`; `http` by default. */
  readonly name?: string;
  /** The path under which everything is served, for the OpenAPI document; `/` by default. */
  readonly base?: string | undefined;
  /** Whether nothing can be kept between requests. */
  readonly stateless?: boolean | undefined;
  /** Whether what is served will change, and MCP clients are to hear of it; `false` by default. */
  readonly isChanging?: boolean | undefined;
  /** `portable` lists MCP tools without dots in their names. */
  readonly names?: 'portable' | undefined;
  /** The apps of the server, for `/readyz`; this one by default. */
  readonly apps?: readonly App[] | undefined;
  /** Signs the state that MCP clients keep, unless the app has a secret of its own. */
  readonly secret?: string | undefined;
  readonly otherPaths?: OtherPaths | undefined;
  /** Whether new calls are accepted; if not, every path except `/healthz` responds with 503. */
  readonly ready?: () => boolean;
}

export interface HttpWire {
  handle(request: HttpRequest): HttpReply | Promise<HttpReply>;
  /** Whether a request target has a route, whatever the method. */
  serves(target: string): boolean;
  /**
   * How many bytes a body may have that should not be collected, because it may contain files; undefined for every other
   * request. Only multipart/form-data can be such a body.
   */
  uploadLimit(request: Pick<HttpRequest, 'method' | 'target'>): number | undefined;
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
  const cors = options.cors === 'outer' ? undefined : resolveCors(app, options.cors);
  const refuseOrigin = createOriginCheck(
    options,
    (headers, sender) =>
      options.cors === 'outer' || isSameOrigin(headers, sender) || cors?.allows(String(headers['origin'])) === true,
  );
  const publicUrl = createPublicUrl(app, options.base);
  const waiting = new Waiting();
  const mcp = createLazyMcp(app, options, encoder);
  const router = createRouter(app, {
    name: options.name ?? 'http',
    encoder,
    refuseOrigin,
    cors,
    ready,
    otherPaths: options.otherPaths,
    handlers: {
      ...createFunctionHandlers(app, options, encoder, { publicUrl, waiting }),
      withHttp: createHandlersWithHttp(app, options, encoder, { publicUrl, waiting }),
      ...createLazyTaskHandlers(app, options, { encoder, publicUrl, waiting }),
      openApi: createOpenApiReply(app, options.base, encoder),
      ...createResourceHandlers(app, options, encoder),
      mcp: mcp.handle,
      metadata: createMetadataReply(app, encoder),
      health,
      readiness: () => readiness(ready(), options.apps ?? [app]),
    },
  });
  return {
    ...router,
    handle: options.cors === 'outer' ? handlePreflighted : router.handle,
    endListening: async () => {
      waiting.endAll();
      await (await mcp.loaded())?.endListening();
    },
    close: async () => {
      waiting.endAll();
      await (await mcp.loaded())?.close();
    },
  };

  function handlePreflighted(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const refused = refuseSimple(request);
    return refused ? router.refuse(refused, request.headers) : router.handle(request);
  }
}

import type { App } from '../../app/app.ts';
import { AppError } from '../../app/app-error.ts';
import { problemsInCors } from '../../app/cors-options.ts';
import type { CorsOptions } from '../../app/cors-options.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { HttpHeaders, HttpReply, HttpRequest } from './message.ts';
import { compileOrigins, isSameOrigin } from './origin.ts';

/** What pages of other origins may do. */
export interface Cors {
  readonly allows: (origin: string) => boolean;
  /** Adds the headers with which a browser lets an allowed page send a request and read the response. */
  readonly apply: (
    reply: HttpReply,
    headers: HttpHeaders,
    request?: Pick<HttpRequest, 'method' | 'scheme'>,
  ) => HttpReply;
}

/** The app's rules, except for the fields that the server has of its own. Undefined if there are none. */
export function resolveCors(app: App, own: CorsOptions | undefined): Cors | undefined {
  if (own === undefined) return app.cors && createCors(app, app.cors);
  const given = isRecord(own) ? Object.entries(own).filter(([, value]) => value !== undefined) : undefined;
  const cors = given ? { ...app.cors, ...Object.fromEntries(given) } : own;
  const problems = problemsInCors(cors);
  if (problems.length > 0) throw new AppError(app.name, problems);
  return createCors(app, cors);
}

function createCors(
  { functions }: App,
  { origins = [], headers = [], credentials = false, maxAge = 600 }: CorsOptions,
): Cors {
  const listed = [origins].flat();
  // The same headers for everybody, with or without Origin, so that caches need only one copy.
  const isForAll = listed.includes('*');
  /** Response headers that functions may set. */
  const declared = new Set(functions.flatMap(({ http }) => Object.keys(http.headers ?? {})));
  const allowed = [...READ, ...headers.map((name) => name.toLowerCase())].join(', ');
  return {
    allows: compileOrigins(listed),
    apply(reply, received, request) {
      // What every origin may read says so itself.
      if (reply.headers['access-control-allow-origin'] === '*') return reply;
      const added: Record<string, string> = { ...reply.headers };
      if (!isForAll) {
        added['vary'] = varyHeader(added['vary']);
        if (received['origin'] === undefined || isSameOrigin(received, request)) return { ...reply, headers: added };
      }
      added['access-control-allow-origin'] = isForAll ? '*' : String(received['origin']);
      if (credentials) added['access-control-allow-credentials'] = 'true';
      if (isPreflight(request?.method, received) && reply.status === 204) {
        added['access-control-allow-methods'] = added['allow'] ?? '';
        added['access-control-allow-headers'] = allowed;
        added['access-control-max-age'] = String(maxAge);
      } else added['access-control-expose-headers'] = exposedIn(reply);
      return { ...reply, headers: added };
    },
  };

  /** Those of this response: the names of all would show what functions there are. */
  function exposedIn(reply: HttpReply): string {
    if (declared.size === 0) return EXPOSED;
    const own = Object.keys(reply.headers).filter((name) => declared.has(name) && name !== 'location');
    return [EXPOSED, ...own].join(', ');
  }
}

/** Whether a browser asks what a page may send. */
const isPreflight = (method: string | undefined, headers: HttpHeaders) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** For responses that depend on the Origin header. */
export function varyByOrigin(reply: HttpReply): HttpReply {
  return { ...reply, headers: { ...reply.headers, vary: varyHeader(reply.headers['vary']) } };
}

const varyHeader = (vary: string | undefined) => (vary ? `${vary}, Origin` : 'Origin');

/** The response to OPTIONS: the methods of a path. */
export function optionsReply(methods: readonly string[], anyOrigin = false): HttpReply {
  const allow = allowHeader(methods);
  return { status: 204, headers: { allow, ...(anyOrigin && forAnyOrigin(allow)) }, body: '' };
}

const forAnyOrigin = (allow: string) => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': allow,
  'access-control-allow-headers': '*',
});

export function allowHeader(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].join(', ');
}

/** The response headers that any path sends, apart from those that pages can always read. */
const EXPOSED = [
  'allow',
  'content-disposition',
  'etag',
  'everywire-error-code',
  'location',
  'mcp-protocol-version',
  'mcp-session-id',
  'operation-location',
  'preference-applied',
  'retry-after',
  'www-authenticate',
  'x-request-id',
].join(', ');

/** The request headers that any path reads. */
const READ = [
  'accept',
  'authorization',
  'baggage',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'prefer',
  'traceparent',
  'tracestate',
  'x-api-key',
  'x-request-id',
];

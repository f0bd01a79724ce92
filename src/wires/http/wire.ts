import type { App } from '../../app/app.ts';
import { factsOf } from '../../core/codes.ts';
import type { Environment } from '../../core/context.ts';
import { refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import { createNegotiation } from '../../responses/negotiate.ts';
import type { Profile, ProfileName } from '../../responses/profiles/profile.ts';
import { render } from '../../app/respond.ts';
import type { Answer } from '../../app/respond.ts';
import { allowedOrigin, compileHosts, crossOriginHeaders, preflightHeaders } from './origin.ts';
import type { OriginRules } from './origin.ts';
import { callerOf } from './caller.ts';
import { decodeJson } from '../json-body.ts';
import type { McpHttp } from '../mcp/http.ts';
import type { OpenApiVersion } from './openapi.ts';

/** A request, whichever host it came through. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
  /** Calls back when the caller leaves without its answer. */
  readonly onLeave?: ((listener: () => void) => void) | undefined;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream only where something is told while it happens. */
  readonly body: string | ReadableStream<Uint8Array>;
}

export interface HttpWireOptions extends OriginRules {
  readonly environment?: Environment | undefined;
  /** What functions are told they were called over; `http` unless given. */
  readonly name?: string;
  /** The path under which all of it is found, for the OpenAPI document; `/` unless given. */
  readonly base?: string | undefined;
  /** Whether there is nothing that could be kept between requests. */
  readonly stateless?: boolean;
  /** Whether new calls are welcome; everything but `/healthz` answers 503 when not. */
  readonly ready?: () => boolean;
}

export interface HttpWire {
  handle(request: HttpRequest): HttpReply | Promise<HttpReply>;
  /** A reply to what never became a request: too large, malformed, too slow. In the profile it asked for, if it got so far. */
  refuse(failure: Failed, headers?: HttpRequest['headers']): HttpReply;
  /** Ends streams that would go on for ever; calls under way go on. */
  endListening(): Promise<void>;
  /** A reply to what our own code could not answer; it is logged. */
  fail(thrown: unknown, request?: Pick<HttpRequest, 'target' | 'headers'>): HttpReply;
  /** Ends what is kept between requests. */
  close(): Promise<void>;
}

/** What is answered to a request that comes too late. */
export const STOPPING = 'The server is stopping';
const HEALTH = new Set(['/healthz', '/readyz']);

const FUNCTIONS = '/functions/';
const MCP = '/mcp';
const RESOURCES = '/resources';

/** Serves an app over HTTP: `POST /functions/<name>`, the OpenAPI document, and health. */
export function createHttpWire(app: App, options: HttpWireOptions = {}): HttpWire {
  const negotiation = createNegotiation(app.profiles, app.profile);
  const typeHeaders = new Map(Object.values(app.profiles).map((profile) => [profile, headersOf(profile)]));
  const names = new Map(app.functions.map(({ name }) => [FUNCTIONS + name, name]));
  const documents = new Map<OpenApiVersion, Promise<HttpReply>>();
  let isServed: ReturnType<typeof compileHosts> | undefined;
  const ready = options.ready ?? (() => true);
  let loading: Promise<McpHttp> | undefined;
  let mcp: McpHttp | undefined;
  const readers = new Map<string, (query: string, request: HttpRequest) => HttpReply | Promise<HttpReply>>([
    ['/openapi.json', document],
    ['/healthz', () => status(200, 'ok')],
    ['/readyz', () => (ready() ? status(200, 'ready') : status(503, 'stopping'))],
  ]);

  return {
    handle(request) {
      try {
        const reply = respond(request);
        return reply instanceof Promise ? reply.catch((thrown: unknown) => broken(thrown, request)) : reply;
      } catch (thrown) {
        return broken(thrown, request);
      }
    },
    endListening: async () => (await loading)?.endListening(),
    close: async () => (await loading)?.close(),
    refuse(failure, headers = {}) {
      const refused = encodeFailure(failure, profileFor(headers) ?? app.profile);
      const isReadable = headers['origin'] !== undefined && !foreignness('/', headers);
      return isReadable ? withHeaders(refused, crossOriginHeaders(headers)) : refused;
    },
    fail: broken,
  };

  function loadMcp(): Promise<McpHttp> {
    loading ??= import('../mcp/http.ts').then(({ createMcpHttp }) => (mcp = createMcpHttp(app, options)));
    return loading;
  }

  function headersOf(profile: Profile): Record<'true' | 'false', HttpReply['headers']> {
    const labelled = (ok: boolean) =>
      Object.freeze({ 'content-type': negotiation.typeOf(profile, ok), vary: 'Accept' });
    return { true: labelled(true), false: labelled(false) };
  }

  /** A mistake of our own must not leave a request without an answer, nor us without a trace of it. */
  function broken(thrown: unknown, request?: Pick<HttpRequest, 'target' | 'headers'>): HttpReply {
    const failure = app.fault(thrown, { part: options.name ?? 'http' });
    return encodeFailure(failure, (request && profileOf(request)) ?? app.profile);
  }

  function profileOf({ target, headers }: Pick<HttpRequest, 'target' | 'headers'>): Profile | undefined {
    const { query } = split(target);
    return query === '' ? profileFor(headers) : profileIn(query, headers);
  }

  function respond(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const foreign = foreignness(request.target, request.headers);
    if (foreign) return encodeFailure(foreign, profileFor(request.headers) ?? app.profile);
    const reply = answer(request);
    if (request.headers['origin'] === undefined) return reply;
    const more = crossOriginHeaders(request.headers);
    return reply instanceof Promise ? reply.then((late) => withHeaders(late, more)) : withHeaders(reply, more);
  }

  function answer(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const { path, query } = split(request.target);
    if (path === MCP) return mcpReply(request);
    const read = readers.get(path);
    if (!ready() && !HEALTH.has(path))
      return encodeFailure(
        refuse('UNAVAILABLE', STOPPING, { retryAfter: 1 }),
        profileFor(request.headers) ?? app.profile,
      );
    if (read && READ.includes(request.method)) return read(query, request);
    const wanted = query === '' ? profileFor(request.headers) : profileIn(query, request.headers);
    // What has one form only is not refused for its form; a failure is told in the form that comes closest.
    const profile = wanted ?? app.profile;
    if (read) return notAllowed(READ, request, profile);
    if (path === RESOURCES || path.startsWith(`${RESOURCES}/`)) return resource(path, request, profile);
    if (path === '*' && request.method === 'OPTIONS') return options204(ANYWHERE);
    if (!path.startsWith(FUNCTIONS)) return encodeFailure(refuse('NOT_FOUND', `No such path: ${path}`), profile);
    const name = names.get(path) ?? nameIn(path);
    if (request.method !== 'POST' && app.find(name)) return notAllowed(CALL, request, profile);
    if (!wanted) return encodeFailure(notAcceptable(negotiation.offered), app.profile);
    return callFunction(name, request, profile);
  }

  function mcpReply(request: HttpRequest): HttpReply | Promise<HttpReply> {
    if (request.method === 'OPTIONS') return options204(MCP_METHODS);
    const encoded = refuseEncoded(request.headers);
    if (encoded) return encodeFailure(encoded, app.profile);
    return mcp ? mcp.handle(request) : loadMcp().then((wire) => wire.handle(request));
  }

  async function resource(path: string, request: HttpRequest, profile: Profile): Promise<HttpReply> {
    if (!READ.includes(request.method)) return notAllowed(READ, request, profile);
    const { readResource } = await import('./resources.ts');
    const reply = await readResource(app, path, request, options);
    return 'ok' in reply ? encodeFailure(reply, profile) : reply;
  }

  /** `?profile=` for those who cannot set a header; it is meant more than what a header says by habit. */
  function profileIn(query: string, headers: HttpRequest['headers']): Profile | undefined {
    const asked = new URLSearchParams(query).get('profile');
    if (asked === null) return profileFor(headers);
    return Object.hasOwn(app.profiles, asked) ? app.profiles[asked as ProfileName] : undefined;
  }

  function profileFor(headers: HttpRequest['headers']): Profile | undefined {
    return negotiation.choose(headers['accept'] as string | undefined);
  }

  function callFunction(name: string, request: HttpRequest, profile: Profile): HttpReply | Promise<HttpReply> {
    const decoded = decode(request, app.limits.depth);
    const answered = app.respond(
      {
        name,
        fn: app.find(name),
        input: 'ok' in decoded ? undefined : decoded.input,
        refused: 'ok' in decoded ? decoded : undefined,
        caller: callerOf(request.headers, options.name),
        environment: options.environment,
        onLeave: request.onLeave,
      },
      profile,
    );
    return answered instanceof Promise ? answered.then((late) => encode(late, profile)) : encode(answered, profile);
  }

  function encode({ outcome, body, fn, requestId }: Answer, profile: Profile): HttpReply {
    const typed = typeHeaders.get(profile)![`${outcome.ok}`];
    if (outcome.ok && requestId === undefined) return { status: 200, headers: typed, body };
    const headers: Record<string, string> = { ...typed };
    if (requestId !== undefined) headers['x-request-id'] = requestId;
    if (outcome.ok) return { status: 200, headers, body };
    const { code, retryAfter } = outcome.error;
    headers['everywire-error-code'] = code;
    if (retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(retryAfter));
    return { status: factsOf(code, fn?.definition.errors).status, headers, body };
  }

  /** What is no call, or not yet one. */
  function encodeFailure(failure: Failed, profile: Profile): HttpReply {
    return encode(render(failure, undefined, profile), profile);
  }

  function notAllowed(methods: readonly string[], { method }: HttpRequest, profile: Profile): HttpReply {
    if (method === 'OPTIONS') return options204(methods);
    const allow = [...methods, 'OPTIONS'].join(', ');
    const message = `${method} is not allowed here, only ${allow}`;
    const refused = encodeFailure(refuse('METHOD_NOT_ALLOWED', message), profile);
    return { ...refused, headers: { ...refused.headers, allow } };
  }

  async function document(query: string, { headers }: HttpRequest): Promise<HttpReply> {
    const version = new URLSearchParams(query).get('version')?.startsWith('3.0') ? '3.0' : '3.1';
    let made = documents.get(version);
    if (!made) documents.set(version, (made = makeDocument(version)));
    const reply = await made;
    const known = String(headers['if-none-match'] ?? '');
    const etag = reply.headers['etag'] ?? '';
    return known === '*' || known.includes(etag) ? { status: 304, headers: { etag }, body: '' } : reply;
  }

  async function makeDocument(version: OpenApiVersion): Promise<HttpReply> {
    const { openApiText } = await import('./openapi.ts');
    const body = openApiText(app, version, options.base);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
    const etag = `"${[...new Uint8Array(digest, 0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
    return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'no-cache', etag }, body };
  }

  /** DNS rebinding and cross-site requests: a foreign page must not reach a server on this machine. */
  function foreignness(target: string, headers: HttpRequest['headers']): Failed | undefined {
    // What is served may be known only once the server listens.
    isServed ??= options.hosts ? compileHosts(options.hosts) : () => true;
    // The address itself may name a host, which then counts for more than the header.
    const named = target.startsWith('/') ? undefined : ABSOLUTE.exec(target)?.[1];
    if (named !== undefined && !isServed(named)) return notServed(named);
    if (!isServed(headers['host'])) return notServed(headers['host']);
    if (headers['origin'] === undefined || allowedOrigin(headers, options.origins)) return undefined;
    return refuse('FORBIDDEN', `Origin ${JSON.stringify(headers['origin'])} is not allowed here`);
  }
}

function notServed(host: HttpRequest['headers'][string] = ''): Failed {
  return refuse('FORBIDDEN', `Host ${JSON.stringify(host)} is not served here`);
}

function notAcceptable(offered: readonly string[]): Failed {
  return refuse('NOT_ACCEPTABLE', `Not acceptable; there is ${offered.join(', ')}`, { details: { offered } });
}

const READ: readonly string[] = ['GET', 'HEAD'];
const CALL: readonly string[] = ['POST'];
const MCP_METHODS: readonly string[] = ['GET', 'POST', 'DELETE'];
/** For `OPTIONS *`: what some path or other allows. */
const ANYWHERE: readonly string[] = ['GET', 'HEAD', 'POST', 'DELETE'];

/** To whoever asks what may be asked, a browser before it calls among them. */
function options204(methods: readonly string[]): HttpReply {
  return { status: 204, headers: preflightHeaders(methods), body: '' };
}

/** The arguments in a body: none when it is empty. */
function decode({ headers, body }: HttpRequest, depth: number): { readonly input: unknown } | Failed {
  const encoded = refuseEncoded(headers);
  if (encoded) return encoded;
  const type = headers['content-type'];
  if (type !== undefined && type !== 'application/json' && !isJson(String(type))) {
    return refuse('UNSUPPORTED_MEDIA_TYPE', `Unsupported media type: ${String(type)} (send application/json in UTF-8)`);
  }
  return decodeJson(body, depth);
}

/** Bodies are taken as they are: a compressed one could be a thousand times larger than it looks. */
function refuseEncoded(headers: HttpRequest['headers']): Failed | undefined {
  const encoding = headers['content-encoding'];
  if (encoding === undefined) return undefined;
  const names = String(encoding).split(',');
  if (names.every((name) => /^\s*(?:identity)?\s*$/i.test(name))) return undefined;
  return refuse('UNSUPPORTED_MEDIA_TYPE', `Unsupported content encoding: ${String(encoding)} (send the body as it is)`);
}

/** Parameters other than a charset change nothing; no type at all is taken as JSON. */
function isJson(header: string): boolean {
  const [type = '', ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return (type === '' || /^application\/(?:[\w.-]+\+)?json$/.test(type)) && !parameters.some(isForeignCharset);
}

function isForeignCharset(parameter: string): boolean {
  return parameter.startsWith('charset') && !/^charset="?utf-?8"?$/.test(parameter);
}

function split(target: string): { readonly path: string; readonly query: string } {
  // Proxies may send the whole address.
  const local = target.startsWith('/') ? target : rooted(target.replace(ABSOLUTE, ''));
  const mark = local.indexOf('?');
  return mark === -1 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/** Behind the host of a whole address there may be nothing, or only a query. */
function rooted(rest: string): string {
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
}

function nameIn(path: string): string {
  const name = path.slice(FUNCTIONS.length);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function status(code: number, text: string): HttpReply {
  return {
    status: code,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify({ status: text }),
  };
}

function withHeaders(reply: HttpReply, more: Record<string, string>): HttpReply {
  const vary = [reply.headers['vary'], more['vary']].filter(Boolean).join(', ');
  return { ...reply, headers: { ...reply.headers, ...more, vary } };
}

import type { App } from '../app.ts';
import { factsOf } from '../core/codes.ts';
import type { Environment } from '../core/context.ts';
import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import { createNegotiation } from '../responses/negotiate.ts';
import type { Profile, ProfileName } from '../responses/profiles/profile.ts';
import { render } from '../responses/respond.ts';
import type { Answer } from '../responses/respond.ts';
import { allowedOrigin, compileHosts, crossOriginHeaders, preflightHeaders } from './http-origin.ts';
import type { OriginRules } from './http-origin.ts';
import { callerOf } from './http-caller.ts';
import { decodeJson } from './json-body.ts';
import type { McpHttp } from './mcp/http.ts';
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
  /** Whether new calls are welcome; `/readyz` answers 503 when not. */
  readonly ready?: () => boolean;
}

export interface HttpWire {
  handle(request: HttpRequest): HttpReply | Promise<HttpReply>;
  /** A reply to what never became a request: too large, malformed, too slow. In the profile it asked for, if it got so far. */
  refuse(failure: Failed, headers?: HttpRequest['headers']): HttpReply;
  /** Ends what is kept between requests. */
  close(): Promise<void>;
}

const FUNCTIONS = '/functions/';
const MCP = '/mcp';
const RESOURCES = '/resources';

/** Serves an app over HTTP: `POST /functions/<name>`, the OpenAPI document, and health. */
export function createHttpWire(app: App, options: HttpWireOptions = {}): HttpWire {
  const negotiation = createNegotiation(app.profiles, app.profile);
  const typeHeaders = new Map(Object.values(app.profiles).map((profile) => [profile, headersOf(profile)]));
  const names = new Map(app.functions.map(({ name }) => [FUNCTIONS + name, name]));
  const documents = new Map<OpenApiVersion, Promise<HttpReply>>();
  const isServed = options.hosts && compileHosts(options.hosts);
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
        return reply instanceof Promise ? reply.catch(broken) : reply;
      } catch {
        return broken();
      }
    },
    close: async () => (await loading)?.close(),
    refuse: (failure, headers = {}) => encodeFailure(failure, profileFor(headers) ?? app.profile),
  };

  function loadMcp(): Promise<McpHttp> {
    loading ??= import('./mcp/http.ts').then(({ createMcpHttp }) => (mcp = createMcpHttp(app, options)));
    return loading;
  }

  function headersOf(profile: Profile): Record<'true' | 'false', HttpReply['headers']> {
    const labelled = (ok: boolean) =>
      Object.freeze({ 'content-type': negotiation.typeOf(profile, ok), vary: 'Accept' });
    return { true: labelled(true), false: labelled(false) };
  }

  /** A mistake of our own must not leave a request without an answer. */
  function broken(): HttpReply {
    return encodeFailure(refuse('INTERNAL_ERROR', 'The server could not answer'), app.profile);
  }

  function respond(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const foreign = foreignness(request);
    if (foreign) return encodeFailure(foreign, profileFor(request.headers) ?? app.profile);
    if (request.headers['origin'] === undefined) return answer(request);
    return withHeaders(answer(request), crossOriginHeaders(request.headers));
  }

  function answer(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const { path, query } = split(request.target);
    if (path === MCP) return mcp ? mcp.handle(request) : loadMcp().then((wire) => wire.handle(request));
    const read = readers.get(path);
    if (read && READ.includes(request.method)) return read(query, request);
    const profile = query === '' ? profileFor(request.headers) : profileIn(query, request.headers);
    if (!profile) return encodeFailure(notAcceptable(negotiation.offered), app.profile);
    if (read) return notAllowed(READ, request, profile);
    if (path === RESOURCES || path.startsWith(`${RESOURCES}/`)) return resource(path, request, profile);
    if (!path.startsWith(FUNCTIONS)) return encodeFailure(refuse('NOT_FOUND', `No such path: ${path}`), profile);
    const name = names.get(path) ?? nameIn(path);
    if (request.method !== 'POST' && app.find(name)) return notAllowed(CALL, request, profile);
    return callFunction(name, request, profile);
  }

  async function resource(path: string, request: HttpRequest, profile: Profile): Promise<HttpReply> {
    if (!READ.includes(request.method)) return notAllowed(READ, request, profile);
    const { readResource } = await import('./http-resources.ts');
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
    if (method === 'OPTIONS') return { status: 204, headers: preflightHeaders(methods), body: '' };
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
  function foreignness({ headers }: HttpRequest): Failed | undefined {
    if (isServed && !isServed(headers)) {
      return refuse('FORBIDDEN', `Host ${JSON.stringify(headers['host'] ?? '')} is not served here`);
    }
    if (headers['origin'] === undefined || allowedOrigin(headers, options.origins)) return undefined;
    return refuse('FORBIDDEN', `Origin ${JSON.stringify(headers['origin'])} is not allowed here`);
  }
}

function notAcceptable(offered: readonly string[]): Failed {
  return refuse('NOT_ACCEPTABLE', `Not acceptable; there is ${offered.join(', ')}`, { details: { offered } });
}

const READ: readonly string[] = ['GET', 'HEAD'];
const CALL: readonly string[] = ['POST'];

/** The arguments in a body: none when it is empty. */
function decode({ headers, body }: HttpRequest, depth: number): { readonly input: unknown } | Failed {
  const type = headers['content-type'];
  if (type !== undefined && type !== 'application/json' && !isJson(String(type))) {
    return refuse('UNSUPPORTED_MEDIA_TYPE', `Unsupported media type: ${String(type)} (send application/json in UTF-8)`);
  }
  return decodeJson(body, depth);
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
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/';
  const mark = local.indexOf('?');
  return mark === -1 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
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

async function withHeaders(reply: HttpReply | Promise<HttpReply>, more: Record<string, string>): Promise<HttpReply> {
  const settled = await reply;
  const vary = [settled.headers['vary'], more['vary']].filter(Boolean).join(', ');
  return { ...settled, headers: { ...settled.headers, ...more, vary } };
}

import type { HttpHeaders, HttpReply } from './message.ts';
import { isSameOrigin } from './origin.ts';

/** Lets a page of an allowed origin read the response. */
export function withCors(reply: HttpReply, request: HttpHeaders): HttpReply {
  const headers: Record<string, string> = { ...reply.headers };
  if (!isSameOrigin(request)) {
    headers['access-control-allow-origin'] = String(request['origin']);
    headers['access-control-expose-headers'] = EXPOSED;
  }
  headers['vary'] = headers['vary'] ? `${headers['vary']}, origin` : 'origin';
  return { ...reply, headers };
}

/** The response to OPTIONS: the methods of a path. Browsers ask for them in preflight requests. */
export function optionsReply(methods: readonly string[], cors?: 'outer'): HttpReply {
  const allow = allowHeader(methods);
  if (cors === 'outer') return { status: 204, headers: { allow }, body: '' };
  return {
    status: 204,
    headers: { allow, 'access-control-allow-methods': allow, 'access-control-allow-headers': ALLOWED },
    body: '',
  };
}

export function allowHeader(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].join(', ');
}

const EXPOSED = 'everywire-error-code, retry-after, x-request-id, mcp-session-id, mcp-protocol-version';

/** The request headers that any path reads. */
const ALLOWED = [
  'content-type',
  'accept',
  'authorization',
  'traceparent',
  'tracestate',
  'baggage',
  'x-request-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'mcp-method',
  'mcp-name',
  'last-event-id',
].join(', ');

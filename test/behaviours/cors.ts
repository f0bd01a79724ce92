import type { CorsOptions } from 'everywire';

// Who may call, what they may send, and what they can read: every combination is tried on every host of the HTTP wire.

/** Stands for the origin of the server itself. */
export const OWN = 'own';

/** Values of the Origin header; undefined for requests that have none. */
export const origins = [
  undefined,
  OWN,
  'https://app.example',
  'http://localhost:5173',
  'tauri://localhost',
  'https://one.app.example',
  'https://a.b.app.example',
  'http://one.app.example',
  'https://app.example:8443',
  'https://APP.example',
  'https://evil.example',
  'https://evilapp.example',
  'https://app.example.evil.example',
  'https://evil.example/.app.example',
  'https://evil.example:1.app.example',
  'https://.app.example',
  'https://*.app.example',
  'https://app.example, https://evil.example',
  'null',
  '',
] as const;

export interface Rules {
  readonly title: string;
  readonly cors: CorsOptions | 'outer' | undefined;
  /** The origins that may call, besides its own. */
  readonly allows: 'all' | readonly string[];
  /** The headers that pages may send, besides those that everywire reads. */
  readonly headers?: readonly string[];
  readonly credentials?: true;
  readonly maxAge?: string;
}

export const rules: readonly Rules[] = [
  { title: 'nothing', cors: undefined, allows: [] },
  { title: 'an empty list', cors: { origins: [] }, allows: [] },
  {
    title: 'a list',
    cors: { origins: ['https://app.example', 'http://localhost:5173', 'tauri://localhost'] },
    allows: ['https://app.example', 'http://localhost:5173', 'tauri://localhost'],
  },
  {
    title: 'subdomains',
    cors: { origins: ['https://*.app.example'] },
    allows: ['https://one.app.example', 'https://a.b.app.example'],
  },
  { title: 'everybody', cors: { origins: '*' }, allows: 'all' },
  {
    title: 'everybody, with a header',
    cors: { origins: ['*'], headers: ['X-Tenant'], maxAge: 0 },
    allows: 'all',
    headers: ['x-tenant'],
    maxAge: '0',
  },
  {
    title: 'credentials and a header',
    cors: { origins: 'https://app.example', headers: ['X-Tenant'], credentials: true, maxAge: 60 },
    allows: ['https://app.example'],
    headers: ['x-tenant'],
    credentials: true,
    maxAge: '60',
  },
];

/** Headers that a page sends. */
export const headers = {
  none: [],
  // Those of a call, of MCP and of a trace.
  known: ['content-type', 'authorization', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id', 'traceparent'],
  'of the app': ['x-tenant'],
  unknown: ['x-unknown'],
} as const;

export interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
  /** Without the headers of CORS, from a stranger and on a socket. */
  readonly status: number;
  /** Whether the preflight request of a page is refused whoever asks. */
  readonly preflight?: 'refused';
}

const json = 'application/json';
const message = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

export const pageRequests: readonly PageRequest[] = [
  { method: 'POST', path: '/functions/Add', type: json, body: '{"x":1,"y":2}', status: 200 },
  { method: 'POST', path: '/functions/Add', type: json, body: '{', status: 400 },
  { method: 'POST', path: '/functions/Add', type: 'text/plain', body: '{"x":1,"y":2}', status: 415 },
  { method: 'POST', path: '/functions/Add', type: json, body: JSON.stringify('x'.repeat(2000)), status: 413 },
  { method: 'GET', path: '/functions/Add', status: 405 },
  { method: 'DELETE', path: '/functions/Add', status: 405, preflight: 'refused' },
  { method: 'POST', path: '/functions/Nope', type: json, body: '{}', status: 404, preflight: 'refused' },
  { method: 'GET', path: '/nowhere/at/all', status: 404, preflight: 'refused' },
  { method: 'GET', path: '/openapi.json', status: 200 },
  { method: 'GET', path: '/resources', status: 200 },
  { method: 'GET', path: '/resources/notes%3A%2F%2Fx', status: 200 },
  { method: 'GET', path: '/resources/fails%3A%2F%2Fx', status: 500 },
  { method: 'GET', path: '/healthz', status: 200 },
  { method: 'HEAD', path: '/readyz', status: 200 },
  {
    method: 'POST',
    path: '/mcp',
    type: json,
    body: message('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'page', version: '1' },
    }),
    status: 200,
  },
  // Streamed, since the client asks for progress.
  {
    method: 'POST',
    path: '/mcp',
    type: json,
    body: message('tools/call', { name: 'functions.Add', arguments: { x: 1, y: 2 }, _meta: { progressToken: 1 } }),
    status: 200,
  },
  { method: 'GET', path: '/mcp', status: 405 },
  { method: 'DELETE', path: '/mcp', status: 405 },
];

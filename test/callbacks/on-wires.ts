import { createClient } from 'everywire/client';
import { serve } from 'everywire/node';
import type { App, Outcome } from 'everywire';
import { asJson } from '../kit/as-json.ts';
import { META } from '../mcp/mcp-post.ts';

/** What a caller received. */
export interface Seen {
  readonly wire: string;
  /** `OK` or the failure code. */
  readonly code: string;
  readonly text: string;
}

const MODERN = '2026-07-28';

/** Calls a function in process, and over HTTP and MCP in every form. */
export async function onWires(app: App, isTypical: boolean, name = 'F', input: object = {}): Promise<Seen[]> {
  const outcome = await app.call(name, input);
  const overWires = await overHttp(app, isTypical, (send) => callsOf(send, isTypical, name, input));
  return [seen('process', outcome), ...overWires];
}

/** The same for other MCP requests. */
export async function overMcp(app: App, isTypical: boolean, method: string, params: object): Promise<Seen[]> {
  return overHttp(app, isTypical, (send) => [mcp(send, method, params, 'legacy'), mcp(send, method, params, 'modern')]);
}

/** Sends a request over a socket, or with app.fetch, which is faster. */
export type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

export async function overHttp(
  app: App,
  isTypical: boolean,
  send: (fetch: Fetch) => readonly Promise<Seen>[],
): Promise<Seen[]> {
  if (!isTypical) {
    return Promise.all(send((path, init) => app.fetch(new Request(`http://localhost${path}`, init))));
  }
  const host = await serve(app, { port: 0 });
  try {
    return await Promise.all(send((path, init) => fetch(host.url + path, init)));
  } finally {
    host.server.closeAllConnections();
    await new Promise((resolve) => host.server.close(resolve));
  }
}

function callsOf(send: Fetch, isTypical: boolean, name: string, input: object): Promise<Seen>[] {
  const params = { name, arguments: input };
  const some = [
    http(send, `/functions/${name}`, input),
    http(send, `/functions/${name}?profile=envelope`, input),
    mcp(send, 'tools/call', params, 'legacy'),
  ];
  if (!isTypical) return some;
  return [
    ...some,
    http(send, `/functions/${name}?profile=status`, input),
    mcp(send, 'tools/call', params, 'modern'),
    // A progress token bypasses the fast path.
    mcp(send, 'tools/call', params, 'legacy', { progressToken: 1 }),
    mcp(send, 'tools/call', params, 'modern', { progressToken: 1 }),
    client(send, name, input),
  ];
}

export async function http(send: Fetch, path: string, input?: object): Promise<Seen> {
  const response = await send(path, input && asJson(input));
  const code = response.headers.get('everywire-error-code') ?? (response.ok ? 'OK' : String(response.status));
  return { wire: `http ${path}`, code, text: await response.text() };
}

async function client(send: Fetch, name: string, input: object): Promise<Seen> {
  const outcome = await createClient('http://localhost', {
    fetch: (url, init) => send(new URL(url instanceof Request ? url.url : url).pathname, init),
  }).call(name, input);
  return seen('client', outcome);
}

async function mcp(
  send: Fetch,
  method: string,
  params: object,
  era: 'legacy' | 'modern',
  more: object = {},
): Promise<Seen> {
  const isModern = era === 'modern';
  const { name, uri } = params as { name?: string; uri?: string };
  const headers = {
    accept: 'application/json, text/event-stream',
    ...(isModern && { 'mcp-protocol-version': MODERN, 'mcp-method': method }),
    ...(isModern && (name ?? uri) && { 'mcp-name': name ?? uri }),
  } as Record<string, string>;
  const _meta = { ...(isModern && META), ...more };
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
  const response = await send('/mcp', asJson(body, headers));
  const text = await response.text();
  return { wire: `mcp ${era} ${method} ${Object.keys(more).join('')}`.trim(), code: codeIn(text), text };
}

/** The code of the only response; a second response is an error. */
function codeIn(text: string): string {
  const lines = text.startsWith('{') ? [text] : text.split('\n').filter((line) => line.startsWith('data: {'));
  const answers = lines
    .map((line) => JSON.parse(line.replace(/^data: /, '')) as Rpc)
    .filter(({ id }) => id !== undefined);
  const [answer] = answers;
  if (answers.length !== 1 || !answer) return `${answers.length} answers`;
  if (answer.error) return answer.error.data?.code ?? String(answer.error.code);
  return answer.result?.isError ? (answer.result._meta?.['everywire/error']?.code ?? 'no code') : 'OK';
}

interface Rpc {
  readonly id?: unknown;
  readonly error?: { readonly code: number; readonly data?: { readonly code?: string } };
  readonly result?: {
    readonly isError?: boolean;
    readonly _meta?: { readonly 'everywire/error'?: { readonly code: string } };
  };
}

function seen(wire: string, outcome: Outcome): Seen {
  const replace = (_key: string, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner);
  return { wire, code: outcome.ok ? 'OK' : outcome.error.code, text: JSON.stringify(outcome, replace) };
}

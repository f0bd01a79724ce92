import { writeJson } from '../../schema/write-json.ts';
import { ask } from '../server.ts';
import { eventsIn } from '../sse.ts';

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';
export type Revision = typeof MODERN | typeof LEGACY;

const CLIENT = { name: 'everywire console', version: '1' };

/** What revision 2026-07-28 says with every request. */
const envelope = (capabilities: object = {}): object => ({
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

/** The headers of a request; those that revision 2026-07-28 repeats from the message. */
export function headersFor(revision: Revision, method: string, name?: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    ...(revision === MODERN && { 'mcp-method': method, ...(name !== undefined && { 'mcp-name': headerValue(name) }) }),
  };
}

/** Text as the value of a header: what none can carry is in base64, marked as revision 2026-07-28 says. */
function headerValue(text: string): string {
  const isPlain = /^[!-~](?:[\t -~]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  if (isPlain) return text;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(bytes.join(''))}?=`;
}

/** A message as it is sent. */
export function messageOf(revision: Revision, method: string, params: object, capabilities?: object): string {
  const all = revision === MODERN ? { ...params, _meta: envelope(capabilities) } : params;
  return writeJson({ jsonrpc: '2.0', id: 1, method, params: all });
}

export interface RpcAnswer<T> {
  readonly result?: T;
  readonly error?: { readonly code: number; readonly message: string };
}

interface RpcOptions {
  readonly revision?: Revision;
  readonly capabilities?: object;
  readonly signal?: AbortSignal;
}

/** Sends one request to `/mcp`, and waits for its answer. */
export async function rpc<T>(method: string, params: object, options: RpcOptions = {}): Promise<RpcAnswer<T>> {
  const { revision = MODERN, capabilities, signal } = options;
  const { name, uri } = params as { name?: string; uri?: string };
  const response = await ask('mcp', {
    method: 'POST',
    headers: headersFor(revision, method, name ?? uri),
    body: messageOf(revision, method, params, capabilities),
    ...(signal && { signal }),
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return (await response.json()) as RpcAnswer<T>;
  for await (const { data } of eventsIn(response)) {
    const found = JSON.parse(data) as RpcAnswer<T> & { id?: unknown };
    if (found.id === 1) return found;
  }
  throw new Error('The stream ended without an answer');
}

/** The result, or an Error with the message of the failure. */
export async function request<T>(method: string, params: object): Promise<T> {
  const { result, error } = await rpc<T>(method, params);
  if (error || !result) throw new Error(error?.message ?? 'No result');
  return result;
}

import type { HttpReply, HttpRequest } from '../../http/message.ts';

/** The path is always this one; the request target may not be a valid URL. */
const MCP = '/mcp';

/** Headers about the SDK's connection. The connection belongs to the host, which may be about to close it. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The SDK does not need them: callers are recognised before. */
const CREDENTIALS = new Set(['authorization', 'x-api-key', 'cookie']);

export function toRequest({ method, headers, body, onDisconnect }: HttpRequest): Request {
  const disconnected = new AbortController();
  onDisconnect?.(() => disconnected.abort());
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(':') || CREDENTIALS.has(name)) continue;
    for (const one of [value ?? []].flat()) copied.append(name, one);
  }
  const base = `http://${copied.get('host')}`;
  const url = new URL(MCP, URL.canParse(base) ? base : 'http://localhost');
  const isEmpty = method === 'GET' || method === 'HEAD' || body.byteLength === 0;
  const { signal } = disconnected;
  return new Request(url, { method, headers: copied, signal, ...(!isEmpty && { body: body.slice() }) });
}

/** Event streams stay streams; anything else is read, so that its length is known. */
export async function toReply(
  response: Response,
  wrap: (stream: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>,
): Promise<HttpReply> {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !HOP_BY_HOP.has(name)));
  const stream = headers['content-type']?.startsWith('text/event-stream') ? response.body : undefined;
  return { status: response.status, headers, body: stream ? wrap(stream) : await response.text() };
}

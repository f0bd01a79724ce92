import type { App } from '../app.ts';
import { refuse } from '../core/failure.ts';
import { createHttpWire } from '../wires/http.ts';
import type { HttpReply, HttpWireOptions } from '../wires/http.ts';
import { tooLarge } from '../wires/json-body.ts';

export interface FetchHost {
  handle(request: Request): Promise<Response>;
}

/** The HTTP wire for runtimes that speak Request and Response. */
export function createFetchHost(app: App, options: HttpWireOptions = {}): FetchHost {
  const wire = createHttpWire(app, options);
  return {
    async handle(request) {
      return toResponse(await reply(request), request.method);
    },
  };

  async function reply(request: Request): Promise<HttpReply> {
    const url = new URL(request.url);
    const headers = { host: url.host, ...Object.fromEntries(request.headers) };
    let body: Uint8Array | undefined;
    try {
      body = await readBody(request, app.limits.body);
    } catch {
      return wire.refuse(refuse('BAD_REQUEST', 'The body could not be read'), headers);
    }
    if (body === undefined) return wire.refuse(tooLarge(app.limits.body), headers);
    return wire.handle({
      method: request.method,
      target: url.pathname + url.search,
      headers,
      body,
      onLeave: (listener) => request.signal.addEventListener('abort', () => listener(), { once: true }),
    });
  }
}

/** The body's bytes; undefined, and the rest unread, when there are more than the limit. */
async function readBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (!request.body) return new Uint8Array();
  if (Number(request.headers.get('content-length')) > limit) return undefined;
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > limit) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(next.value);
  }
  const [only] = chunks;
  if (chunks.length === 1 && only) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

function toResponse({ status, headers, body }: HttpReply, method: string): Response {
  const empty = method === 'HEAD' || status === 204 || status === 304;
  return new Response(empty ? null : body, { status, headers });
}

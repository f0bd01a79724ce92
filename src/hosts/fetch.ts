import type { App } from '../app/app.ts';
import { refuse } from '../core/failure.ts';
import { createHttpWire } from '../wires/http/wire.ts';
import type { HttpReply } from '../wires/http/message.ts';
import type { HttpWireOptions } from '../wires/http/wire.ts';
import { tooLarge } from '../wires/json-body.ts';
import { GrowingBytes } from './growing-bytes.ts';

export interface FetchHost {
  handle(request: Request): Promise<Response>;
}

/** Serves an app with web-standard Request and Response. */
export function createFetchHost(app: App, options: HttpWireOptions = {}): FetchHost {
  const wire = createHttpWire(app, options);
  return {
    async handle(request) {
      const reply = await respond(request);
      try {
        return toResponse(reply, request.method);
      } catch (thrown) {
        // An invalid header value, such as the media type of a resource.
        const headers = Object.fromEntries(request.headers);
        return toResponse(wire.fail(thrown, { target: request.url, headers }), request.method);
      }
    },
  };

  async function respond(request: Request): Promise<HttpReply> {
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
      onDisconnect: (listener) => request.signal.addEventListener('abort', () => listener(), { once: true }),
    });
  }
}

/** The body; undefined if it exceeds the limit, and then the rest is not read. */
async function readBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (!request.body) return new Uint8Array();
  if (Number(request.headers.get('content-length')) > limit) return undefined;
  const reader = request.body.getReader();
  const body = new GrowingBytes();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (body.size + next.value.byteLength > limit) {
      await reader.cancel();
      return undefined;
    }
    body.add(next.value);
  }
  return body.bytes;
}

function toResponse({ status, headers, body }: HttpReply, method: string): Response {
  const empty = method === 'HEAD' || status === 204 || status === 304;
  return new Response(empty ? null : body, { status, headers });
}

import type { App } from '../app/app.ts';
import { askOuterOf } from '../app/embed-options.ts';
import { refuse } from '../core/failure.ts';
import { isMultipart } from '../wires/http/decode-body.ts';
import type { HttpReply, HttpRequest } from '../wires/http/message.ts';
import { noSuchPath } from '../wires/http/refusals.ts';
import { parseBase, targetBelow } from '../wires/http/target.ts';
import type { HttpWire } from '../wires/http/wire.ts';
import { tooLarge } from '../wires/json-body.ts';
import { EmbeddedWires } from './embedded-wires.ts';
import { addressOf, fetchOptions } from './fetch-options.ts';
import { GrowingBytes } from '../core/growing-bytes.ts';

export interface FetchHost {
  /** Options, or whatever a runtime passes after the request. Rejects if an option is wrong. */
  handle(request: Request, options?: unknown, ...context: unknown[]): Promise<Response>;
}

type Sender = Pick<HttpRequest, 'address' | 'outer'>;

/** Serves an app with web-standard Request and Response. */
export function createFetchHost(app: App): FetchHost {
  const wires = new EmbeddedWires(app);
  return {
    async handle(request, given, ...context) {
      const options = fetchOptions(given, context, app);
      const base = parseBase(options.base ?? '');
      const ask = askOuterOf(options);
      const address = addressOf(request, given);
      const sender = { address, ...(ask && { outer: () => ask(request) }) };
      return wires.use(options, (wire) => exchange(request, wire, base, sender));
    },
  };

  async function exchange(request: Request, wire: HttpWire, base: string, sender: Sender): Promise<Response> {
    const reply = await respond(request, wire, base, sender);
    const { body } = reply;
    try {
      const reported =
        typeof body === 'string' ? reply : { ...reply, body: reportErrors(body, (thrown) => wire.fail(thrown)) };
      return toResponse(reported, request.method);
    } catch (thrown) {
      // An invalid header value, such as the media type of a resource.
      const headers = Object.fromEntries(request.headers);
      return toResponse(wire.fail(thrown, { target: request.url, headers }), request.method);
    }
  }

  async function respond(request: Request, wire: HttpWire, base: string, sender: Sender): Promise<HttpReply> {
    const url = new URL(request.url);
    const headers = { host: url.host, ...Object.fromEntries(request.headers) };
    const target = targetBelow(url.pathname + url.search, base);
    if (target === undefined) return wire.refuse(noSuchPath(url.pathname), headers);
    const { method } = request;
    const isUpload = isMultipart(headers) && wire.uploadLimit({ method, target }) !== undefined;
    let body: Uint8Array | undefined;
    try {
      body = isUpload ? NO_BODY : await readBody(request, app.limits.body);
    } catch {
      return wire.refuse(refuse('BAD_REQUEST', 'The body could not be read'), headers);
    }
    if (body === undefined) return wire.refuse(tooLarge(app.limits.body), headers);
    return wire.handle({
      ...sender,
      scheme: url.protocol === 'https:' ? 'https' : 'http',
      method,
      target,
      base,
      headers,
      body,
      ...(isUpload && request.body && { upload: { chunks: chunksOf(request.body) } }),
      onDisconnect: (listener) => onAbort(request.signal, listener),
    });
  }
}

const NO_BODY = new Uint8Array();

/** Also if that has happened already: a call that had to wait first asks late. */
function onAbort(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', () => listener(), { once: true });
}

/** Not every runtime can iterate over a ReadableStream. Ending the iteration ends the stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
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

/** The runtime cuts the response off, but does not say why. Cancelling never rejects: nothing would handle the rejection. */
function reportErrors(body: ReadableStream<Uint8Array>, report: (thrown: unknown) => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((thrown: unknown) => {
          report(thrown);
          throw thrown;
        });
        // Throws if the client has disconnected meanwhile: there is no one left to answer.
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason).catch(report),
    },
    { highWaterMark: 0 }, // reads on demand
  );
}

function toResponse({ status, headers, body }: HttpReply, method: string): Response {
  const empty = method === 'HEAD' || status === 204 || status === 304;
  // Nobody reads it, and it may hold a file open.
  if (empty && typeof body !== 'string') void body.cancel();
  return new Response(empty ? null : body, { status, headers });
}

import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import type { HttpReply, HttpHeaders, HttpRequest } from '../wires/http/message.ts';
import type { HttpWire } from '../wires/http/wire.ts';
import { tooLarge } from '../wires/json-body.ts';
import type { EncodedReply } from './compression.ts';
import { GrowingBytes } from './growing-bytes.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export type Send = (reply: HttpReply, request: IncomingMessage, response: ServerResponse) => void;

/** How many times the limit is read and dropped before the connection is closed. */
export const MAX_DROPPED = 16;

/** Milliseconds that a client has to read the response before the connection is closed. */
export const CLOSE_DELAY = 1000;

/** Collects the body of a request, up to the limit, and responds. */
export function receiveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  wire: HttpWire,
  limit: number,
  send: Send,
): void {
  const wrongHost = refuseHost(request);
  if (wrongHost) return send(wire.refuse(wrongHost, request.headers), request, response);
  const body = new GrowingBytes();
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) body.add(chunk);
    // The rest is dropped, so that the client gets a response and not a broken connection; up to a point.
    else if (size > limit * MAX_DROPPED && !response.headersSent)
      abandon(request, response, wire.refuse(tooLarge(limit), request.headers), send);
  });
  request.on('end', () => {
    if (size > limit) {
      if (!response.headersSent) send(wire.refuse(tooLarge(limit), request.headers), request, response);
      return;
    }
    const reply = wire.handle(new NodeRequest(request, response, body.bytes));
    if (reply instanceof Promise) void reply.then((late) => send(late, request, response));
    else send(reply, request, response);
  });
}

/** With two Host headers, Node would use the first, and a proxy in front perhaps the second (RFC 9112, section 3.2). */
function refuseHost({ headers, httpVersion, rawHeaders }: IncomingMessage): Failed | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? NO_HOST : undefined;
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count > 1 ? TWO_HOSTS : undefined;
}

const NO_HOST = refuse('BAD_REQUEST', 'The Host header is missing');
const TWO_HOSTS = refuse('BAD_REQUEST', 'More than one Host header');

/** Responds to a client that keeps sending. The connection is closed after a delay, so that it can read the response. */
function abandon(request: IncomingMessage, response: ServerResponse, reply: HttpReply, send: Send): void {
  response.setHeader('connection', 'close');
  send(reply, request, response);
  setTimeout(() => request.destroy(), CLOSE_DELAY).unref();
}

/** The wire's view of a Node request. Nothing is copied. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HttpHeaders;

  constructor(
    request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly body: Uint8Array,
  ) {
    this.method = request.method ?? 'GET';
    this.target = request.url ?? '/';
    this.headers = request.headers;
  }

  readonly onDisconnect = (listener: () => void): void => {
    this.response.once('close', () => this.response.writableFinished || listener());
  };
}

/** Writes a reply to a Node response. `onError` is called if a stream breaks for a reason other than a disconnect. */
export function writeReply(
  { status, headers, body }: EncodedReply,
  request: IncomingMessage,
  response: ServerResponse,
  onError: (thrown: unknown) => void,
): void {
  if (response.destroyed) return;
  if (status === 204 || status === 304) {
    response.writeHead(status, headers).end();
    return;
  }
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    // Not passed to writeHead: half-closed.ts reads the content type with getHeader, which only knows these.
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return stream(request.method === 'HEAD' ? undefined : body, response.writeHead(status), onError);
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Sends chunks as they come, and no faster than the client reads. */
function stream(
  body: ReadableStream<Uint8Array> | undefined,
  response: ServerResponse,
  onError: (thrown: unknown) => void,
): void {
  if (!body) return void response.end();
  response.flushHeaders();
  void pipeline(Readable.fromWeb(body as never), response).catch((error: NodeJS.ErrnoException) => {
    if (!isDisconnect(error)) onError(error);
  });
}

export function isDisconnect(error: NodeJS.ErrnoException): boolean {
  return DISCONNECTED.has(error.code ?? '');
}

const DISCONNECTED = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ECONNRESET',
  'EPIPE',
  'ABORT_ERR',
]);

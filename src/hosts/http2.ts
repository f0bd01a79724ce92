import { constants, performServerHandshake } from 'node:http2';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import type { Limits } from '../core/limits.ts';
import type { HttpReply, HttpRequest } from '../wires/http/message.ts';
import type { HttpWire } from '../wires/http/wire.ts';
import { tooLarge } from '../wires/json-body.ts';
import type { Compress, EncodedReply } from './compression.ts';
import type { Connections } from './connections.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { CLOSE_DELAY, MAX_DROPPED, isDisconnect } from './node-exchange.ts';
import { LARGE_HEADERS, NO_PROXY, TOO_SLOW } from './refuse-socket.ts';

/** Requests that run at once on a connection; the value that RFC 9113 recommends as the least. */
const MAX_STREAMS = 100;

export interface Http2Options {
  readonly wire: HttpWire;
  readonly limits: Limits;
  readonly compress: Compress;
  readonly connections: Connections;
  readonly onStreamError: (thrown: unknown) => void;
}

/** Serves a connection on which the client has chosen HTTP/2. */
export function serveHttp2(socket: TLSSocket, options: Http2Options): void {
  const { limits, connections } = options;
  // Streams are half-closed here, and a client that ends the connection is gone.
  socket.allowHalfOpen = false;
  const session = performServerHandshake(socket, { settings: { maxConcurrentStreams: MAX_STREAMS } });
  const streams = connections.addSession(socket, () => session.close());
  // The session is closed, and the calls on it are cancelled; there is nobody to answer.
  session.on('error', () => {});
  let idle: NodeJS.Timeout | undefined;
  // Not session.setTimeout(), which a client could prolong for ever with pings or half of a header.
  const waitForRequest = () => {
    if (limits.headersTimeout > 0) idle = setTimeout(closeIdle, limits.headersTimeout);
  };
  const closeIdle = () => {
    session.close();
    // It waits for the client to close the connection, too.
    idle = setTimeout(() => socket.destroy(), CLOSE_DELAY);
  };
  waitForRequest();
  socket.once('close', () => clearTimeout(idle));
  session.on('stream', (stream, headers) => {
    clearTimeout(idle);
    streams.add(stream);
    stream.once('close', () => {
      streams.delete(stream);
      if (streams.size === 0 && !session.closed) waitForRequest();
    });
    stream.on('error', () => {}); // a disconnect, which `close` reports
    receive(stream, headers, options);
  });
}

/** Collects the body of a request, up to the limit, and responds. */
function receive(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, options: Http2Options): void {
  const { wire, limits } = options;
  const body = new GrowingBytes();
  const request = toRequest(stream, headers);
  let isAnswered = false;
  const answer = (reply: HttpReply | Promise<HttpReply>) => {
    if (isAnswered) return;
    isAnswered = true;
    void send(stream, request, reply, options);
  };
  const refuseWith = (failure: Failed) => answer(wire.refuse(failure, request.headers));
  const timer = limits.requestTimeout > 0 ? setTimeout(() => tooSlow(), limits.requestTimeout) : undefined;
  const tooSlow = () => {
    refuseWith(TOO_SLOW);
    stopReading(stream);
  };
  stream.once('close', () => clearTimeout(timer));

  const wrong = wrongHead(headers, limits);
  if (wrong) refuseWith(wrong);
  else if (headers['expect'] === '100-continue') stream.additionalHeaders({ ':status': 100 });
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limits.body) body.add(chunk);
    else refuseWith(tooLarge(limits.body));
    if (size > limits.body * MAX_DROPPED) stopReading(stream);
  });
  stream.on('end', () => {
    clearTimeout(timer);
    if (!isAnswered) answer(wire.handle({ ...request, body: body.bytes }));
  });
}

/** Tells a client that keeps sending to stop, once it has the response (RFC 9113, section 8.1). */
function stopReading(stream: ServerHttp2Stream): void {
  if (stream.writableFinished) stream.close(constants.NGHTTP2_NO_ERROR);
  else stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR));
}

function toRequest(stream: ServerHttp2Stream, given: IncomingHttpHeaders): HttpRequest {
  const headers: Record<string, string | string[] | undefined> = {};
  for (const [name, value] of Object.entries(given)) if (!name.startsWith(':')) headers[name] = value;
  headers['host'] = given[':authority'] ?? given.host;
  return {
    method: given[':method'] ?? 'GET',
    target: given[':path'] ?? '/',
    headers,
    body: NO_BODY,
    onDisconnect: (listener) => void (stream.aborted ? listener() : stream.once('aborted', listener)),
  };
}

const NO_BODY = new Uint8Array();
const NO_HOST = refuse('BAD_REQUEST', 'The :authority of the request is missing');
const TWO_HOSTS = refuse('BAD_REQUEST', 'The Host header differs from :authority');

/** What can be refused before the body arrives. */
function wrongHead(headers: IncomingHttpHeaders, limits: Limits): Failed | undefined {
  const { ':authority': authority, host } = headers;
  // Not the setting maxHeaderListSize: Node would reset the stream without a response. It does so above 64 KB.
  if (sizeOf(headers) > limits.headers) return LARGE_HEADERS;
  if (headers[':method'] === 'CONNECT') return NO_PROXY;
  if ((authority ?? host) === undefined) return NO_HOST;
  if (authority !== undefined && host !== undefined && authority !== host) return TWO_HOSTS;
  return Number(headers['content-length']) > limits.body ? tooLarge(limits.body) : undefined;
}

function sizeOf(headers: IncomingHttpHeaders): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length, 0);
}

async function send(
  stream: ServerHttp2Stream,
  request: HttpRequest,
  pending: HttpReply | Promise<HttpReply>,
  { wire, compress, onStreamError }: Http2Options,
): Promise<void> {
  const reply = await compress(await pending, request);
  try {
    write(stream, reply, request.method, onStreamError);
  } catch (thrown) {
    // A header that Node refuses, such as the media type of a resource.
    const failed = wire.fail(thrown, request);
    if (stream.headersSent) stream.destroy();
    else write(stream, failed, request.method, onStreamError);
  }
}

function write(
  stream: ServerHttp2Stream,
  { status, headers, body }: EncodedReply,
  method: string,
  onStreamError: (thrown: unknown) => void,
): void {
  if (stream.destroyed || stream.closed) return;
  const isEmpty = status === 204 || status === 304;
  const endStream = isEmpty || method === 'HEAD';
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const length = isEmpty ? {} : { 'content-length': Buffer.byteLength(body) };
    stream.respond({ ':status': status, ...headers, ...length }, { endStream });
    if (!endStream) stream.end(body);
    return;
  }
  stream.respond({ ':status': status, ...headers }, { endStream });
  if (endStream) return;
  void pipeline(Readable.fromWeb(body as never), stream).catch((error: NodeJS.ErrnoException) => {
    if (!isDisconnect(error)) onStreamError(error);
  });
}

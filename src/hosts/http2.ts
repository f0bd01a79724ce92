import { constants, performServerHandshake } from 'node:http2';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import { isMultipart } from '../wires/http/decode-body.ts';
import type { HttpReply, HttpRequest } from '../wires/http/message.ts';
import type { HttpWire } from '../wires/http/wire.ts';
import { MAX_DROPPED, tooLarge } from '../wires/json-body.ts';
import type { EncodedReply } from './compression.ts';
import type { Connections } from './connections.ts';
import { GrowingBytes } from '../core/growing-bytes.ts';
import type { ServerLimits } from './mounts.ts';
import { CLOSE_DELAY, addressOf, discard, pipeBody, schemeOf } from './node-exchange.ts';
import { LARGE_HEADERS, NO_PROXY, TOO_SLOW } from './refuse-socket.ts';
import type { ServedApp, ServedApps } from './served-apps.ts';
import { MAX_IN_PROGRESS } from './when-over.ts';

export interface Http2Options {
  readonly apps: ServedApps;
  readonly limits: ServerLimits;
  readonly connections: Connections;
}

/** More than fit into the 64 KB that Node takes. */
const MAX_FIELDS = 65_536;

/** Serves a connection on which the client has chosen HTTP/2. */
export function serveHttp2(socket: TLSSocket, options: Http2Options): void {
  const { limits, connections } = options;
  // Streams are half-closed here, and a client that ends the connection is gone.
  socket.allowHalfOpen = false;
  const session = performServerHandshake(socket, {
    settings: { maxConcurrentStreams: MAX_IN_PROGRESS },
    // Node would reset streams with more than 128 fields. Their size is limited, as on HTTP/1.1.
    maxHeaderListPairs: MAX_FIELDS,
  });
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
  session.on('stream', (stream, headers, _flags, rawHeaders?: string[]) => {
    clearTimeout(idle);
    streams.add(stream);
    stream.once('close', () => {
      streams.delete(stream);
      if (streams.size > 0 || session.closed) return;
      if (connections.isRetiring) session.close();
      else waitForRequest();
    });
    stream.on('drain', () => connections.noteProgress(stream));
    stream.on('error', () => {}); // a disconnect, which `close` reports
    receive(stream, { ...toRequest(stream, headers), rawHeaders }, headers, options, socket);
  });
}

/** Collects the body of a request, up to the limit, and responds. */
function receive(
  stream: ServerHttp2Stream,
  { target: url, ...received }: HttpRequest,
  headers: IncomingHttpHeaders,
  { apps, limits }: Http2Options,
  socket: TLSSocket,
): void {
  const { responder, place } = apps.find({ url, headers: received.headers });
  const { wire, limit, proxies } = responder;
  const address = addressOf(socket, received.headers, proxies);
  const scheme = schemeOf(socket, received.headers, proxies);
  const request = { ...received, target: place?.target ?? url, folder: place?.folder, address, scheme };
  const body = new GrowingBytes();
  let isAnswered = false;
  const answer = (reply: HttpReply | Promise<HttpReply>) => {
    if (isAnswered) return;
    isAnswered = true;
    void send(stream, request, reply, responder);
  };
  const refuseWith = (failure: Failed) => answer(wire.refuse(failure, request.headers));
  const timer = limits.requestTimeout > 0 ? setTimeout(() => tooSlow(), limits.requestTimeout) : undefined;
  const tooSlow = () => {
    refuseWith(TOO_SLOW);
    stopReading(stream);
  };
  stream.once('close', () => clearTimeout(timer));

  const isUpload = isMultipart(request.headers) && wire.uploadLimit(request) !== undefined;
  const wrong = wrongHead(headers, limits.headers, isUpload ? Infinity : limit);
  if (wrong) refuseWith(wrong);
  else if (headers['expect'] === '100-continue') stream.additionalHeaders({ ':status': 100 });
  if (isUpload && !wrong) {
    stream.once('end', () => clearTimeout(timer));
    void receiveUpload(stream, request, wire).then((late) => {
      answer(late);
      return stream.readableEnded || stopReading(stream);
    });
    return;
  }
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) body.add(chunk);
    else refuseWith(tooLarge(limit));
    if (size > limit * MAX_DROPPED) stopReading(stream);
  });
  stream.on('end', () => {
    clearTimeout(timer);
    // Node also ends the body of a stream that was reset, or whose connection is gone: a part of a request must not run.
    if (stream.closed || stream.destroyed) return;
    if (!isAnswered) answer(wire.handle({ ...request, body: body.bytes }));
  });
}

/** Responds to a request whose body may contain files: the wire reads it while it arrives. */
async function receiveUpload(stream: ServerHttp2Stream, request: HttpRequest, wire: HttpWire): Promise<HttpReply> {
  try {
    const { createUpload } = await import('./node-upload.ts');
    return await wire.handle({
      ...request,
      upload: createUpload(stream, (dispose) => void stream.once('close', dispose), wire),
    });
  } catch (thrown) {
    return wire.fail(thrown, request);
  }
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
function wrongHead(headers: IncomingHttpHeaders, maxHead: number, maxBody: number): Failed | undefined {
  const { ':authority': authority, host } = headers;
  // Not the setting maxHeaderListSize: Node would reset the stream without a response. It does so above 64 KB.
  if (sizeOf(headers) > maxHead) return LARGE_HEADERS;
  if (headers[':method'] === 'CONNECT') return NO_PROXY;
  if ((authority ?? host) === undefined) return NO_HOST;
  if (authority !== undefined && host !== undefined && authority !== host) return TWO_HOSTS;
  return Number(headers['content-length']) > maxBody ? tooLarge(maxBody) : undefined;
}

function sizeOf(headers: IncomingHttpHeaders): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length, 0);
}

async function send(
  stream: ServerHttp2Stream,
  request: HttpRequest,
  pending: HttpReply | Promise<HttpReply>,
  { wire, compress, onStreamError }: ServedApp,
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
  if (stream.destroyed || stream.closed) return void discard(body, onStreamError);
  const isEmpty = status === 204 || status === 304;
  const endStream = isEmpty || method === 'HEAD';
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const length = isEmpty ? {} : { 'content-length': Buffer.byteLength(body) };
    stream.respond({ ':status': status, ...headers, ...length }, { endStream });
    if (!endStream) sendBody(stream, body);
    return;
  }
  stream.respond({ ':status': status, ...headers }, { endStream });
  if (endStream) return void discard(body, onStreamError);
  pipeBody(body, stream, () => stream.destroyed || stream.closed, onStreamError);
}

/** A larger chunk would count as unread until its last byte is sent. As large as a frame. */
const SLICE = 16_384;

function sendBody(stream: ServerHttp2Stream, body: string | Uint8Array): void {
  if (body.length <= SLICE) return void stream.end(body);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  sendFrom(0);

  function sendFrom(at: number): void {
    const [slice, next] = [bytes.subarray(at, at + SLICE), at + SLICE];
    if (next >= bytes.length) stream.end(slice);
    else stream.write(slice, (error) => error ?? sendFrom(next));
  }
}

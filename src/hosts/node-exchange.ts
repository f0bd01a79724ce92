import type { App } from '../app/app.ts';
import { refuse } from '../core/failure.ts';
import type { AskOuter } from '../core/credentials.ts';
import type { Failed } from '../core/outcome.ts';
import type { HttpReply, HttpHeaders, HttpRequest } from '../wires/http/message.ts';
import { isMultipart } from '../wires/http/decode-body.ts';
import type { HttpWire } from '../wires/http/wire.ts';
import { MAX_DROPPED, tooLarge } from '../wires/json-body.ts';
import type { EncodedReply } from './compression.ts';
import { GrowingBytes } from '../core/growing-bytes.ts';
import type { TrustedProxies } from './trust-proxy.ts';
import { responseOn } from './response-on.ts';
import { isOver, whenOver } from './when-over.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2Stream } from 'node:http2';
import { Readable } from 'node:stream';
import type { Writable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { pipeline } from 'node:stream/promises';

/** Who responds to a request. */
export interface Responder {
  readonly wire: HttpWire;
  readonly send: Send;
  /** Size of a body in bytes. */
  readonly limit: number;
  /** The proxies in front of the server, if it trusts any. */
  readonly proxies?: TrustedProxies | undefined;
  /** Asks the server around the app who calls. */
  readonly askOuter?: ((request: IncomingMessage) => ReturnType<AskOuter>) | undefined;
}

export type Send = (reply: HttpReply, request: IncomingMessage, response: ServerResponse) => void;
type Write = (reply: EncodedReply, request: IncomingMessage, response: ServerResponse) => void;

/** Milliseconds that a client has to read the response before the connection is closed. */
export const CLOSE_DELAY = 1000;

/** Where a request is, if not at the root of its server. */
export type Place = Pick<HttpRequest, 'target' | 'base' | 'folder' | 'headers' | 'isParsed'>;

/** Collects the body of a request, up to the limit, and responds. */
export function receiveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  responder: Responder,
  place?: Place,
): void {
  const { wire, send, limit } = responder;
  const wrongHost = refuseHost(request);
  if (wrongHost) return refuseUnread(wire.refuse(wrongHost, request.headers), request, response, send);
  if (isUpload(request, wire, place)) return void receiveFiles(request, response, responder, place);
  const body = new GrowingBytes();
  let size = 0;
  // Not response.headersSent: a response may be compressed first.
  let isAbandoned = false;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) body.add(chunk);
    // The rest is dropped, so that the client gets a response and not a broken connection; up to a point.
    else if (size > limit * MAX_DROPPED && !isAbandoned) {
      isAbandoned = true;
      abandon(request, response, wire.refuse(tooLarge(limit), request.headers), send);
    }
  });
  request.on('end', () => {
    if (size > limit) {
      if (!isAbandoned) send(wire.refuse(tooLarge(limit), request.headers), request, response);
      return;
    }
    // A request of node:http2 also ends if it was reset: a part of a request must not run.
    if ((request as { readonly stream?: Http2Stream }).stream?.aborted) return;
    respondTo(request, response, body.bytes, responder, place);
  });
}

/** Whether the body may contain files, and so is not collected here. */
export function isUpload(request: IncomingMessage, wire: HttpWire, place?: Place): boolean {
  if (!isMultipart(request.headers)) return false;
  return (
    wire.uploadLimit({ method: request.method ?? 'GET', target: place?.target ?? request.url ?? '/' }) !== undefined
  );
}

async function receiveFiles(...exchange: Parameters<typeof receiveRequest>): Promise<void> {
  const [request, response, { wire, send }] = exchange;
  try {
    await (await import('./node-upload.ts')).receiveUpload(...exchange);
  } catch (thrown) {
    send(wire.fail(thrown, { target: request.url ?? '/', headers: request.headers }), request, response);
  }
}

/** Responds to a request whose body is known. */
export function respondTo(
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array,
  responder: Responder,
  place?: Place,
): void {
  const { wire, send } = responder;
  const reply = wire.handle(new NodeRequest(request, response, body, responder, place));
  if (reply instanceof Promise) void reply.then((late) => send(late, request, response));
  else send(reply, request, response);
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

/** Refuses a request without its body. What arrives of it is dropped: a socket that is not read does not report a disconnect. */
export function refuseUnread(reply: HttpReply, request: IncomingMessage, response: ServerResponse, send: Send): void {
  request.resume();
  send(reply, request, response);
}

/**
 * Responds to a client that keeps sending. The connection is closed after a delay, so that it can read the response. Behind another
 * request on the same connection, the client has to wait for the response to that one.
 */
export function abandon(request: IncomingMessage, response: ServerResponse, reply: HttpReply, send: Send): void {
  response.setHeader('connection', 'close');
  if (responseOn(request.socket) !== response) request.pause();
  response.once('finish', () => {
    request.resume();
    setTimeout(() => request.destroy(), CLOSE_DELAY).unref();
  });
  send(reply, request, response);
}

/** Before an IPv4 address, on a socket for both versions. */
const MAPPED = '::ffff:';

/** The client's address: that of its connection, unless a trusted proxy says another. The same for HTTP/1.1 and HTTP/2. */
export function addressOf(
  { remoteAddress }: Pick<TLSSocket, 'remoteAddress'>,
  headers: HttpHeaders,
  proxies: TrustedProxies | undefined,
): string | undefined {
  const peer = remoteAddress?.startsWith(MAPPED) ? remoteAddress.slice(MAPPED.length) : remoteAddress;
  return proxies ? proxies.addressOf(headers, peer) : peer;
}

/** How the client connected, to this server or to a trusted proxy. */
export function schemeOf(
  { remoteAddress, encrypted }: Pick<TLSSocket, 'remoteAddress' | 'encrypted'>,
  headers: HttpHeaders,
  proxies: TrustedProxies | undefined,
): 'http' | 'https' {
  const own = encrypted ? 'https' : 'http';
  return proxies?.schemeOf(headers, remoteAddress, own) ?? own;
}

/** The wire's view of a Node request. Nothing is copied. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HttpHeaders;
  readonly base: string | undefined;
  readonly folder: string | undefined;
  readonly isParsed: true | undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly body: Uint8Array,
    private readonly responder: Responder,
    place: Place | undefined,
  ) {
    this.method = request.method ?? 'GET';
    this.target = place ? place.target : (request.url ?? '/');
    this.headers = place ? place.headers : request.headers;
    this.base = place?.base;
    this.folder = place?.folder;
    this.isParsed = place?.isParsed;
  }

  get address(): string | undefined {
    return addressOf(this.request.socket, this.headers, this.responder.proxies);
  }

  get scheme(): 'http' | 'https' {
    return schemeOf(this.request.socket as TLSSocket, this.headers, this.responder.proxies);
  }

  get rawHeaders(): readonly string[] {
    return this.request.rawHeaders;
  }

  get outer(): AskOuter | undefined {
    const { askOuter } = this.responder;
    return askOuter && (() => askOuter(this.request));
  }

  readonly onDisconnect = (listener: () => void): void => {
    const { request, response } = this;
    // A call that had to wait first asks late.
    if (isOver(request, response)) listener();
    else whenOver(request, response, () => response.writableFinished || listener());
  };
}

export type BeforeSend = (request: IncomingMessage, response: ServerResponse) => void;

/** Writes replies. What cannot be written is reported, and becomes a failure. */
export function createSend(app: App, wire: HttpWire, before?: BeforeSend): Write {
  const onStreamError = (thrown: unknown) => void app.reportError(thrown, { part: 'http' });
  return (reply, request, response) => {
    try {
      before?.(request, response);
      writeReply(reply, request, response, onStreamError);
    } catch (thrown) {
      // A header that Node refuses, such as the media type of a resource.
      const failed = wire.fail(thrown, { target: request.url ?? '/', headers: request.headers });
      if (response.headersSent) response.destroy();
      else writeReply(failed, request, response, onStreamError);
    }
  };
}

/** Writes a reply to a Node response. `onError` is called if a stream breaks for a reason other than a disconnect. */
function writeReply(
  { status, headers, body }: EncodedReply,
  request: IncomingMessage,
  response: ServerResponse,
  onError: (thrown: unknown) => void,
): void {
  if (isOver(request, response)) return void discard(body, onError);
  if (status === 204 || status === 304) {
    response.writeHead(status, headers).end();
    return;
  }
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    // Not passed to writeHead: half-closed.ts reads the content type with getHeader, which only knows these.
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.writeHead(status);
    if (request.method !== 'HEAD') return stream(body, request, response, onError);
    response.end();
    return void discard(body, onError);
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Sends chunks as they come, and no faster than the client reads. */
function stream(
  body: ReadableStream<Uint8Array>,
  request: IncomingMessage,
  response: ServerResponse,
  onError: (thrown: unknown) => void,
): void {
  response.flushHeaders();
  const readable = pipeBody(body, response, () => isOver(request, response), onError);
  // A response behind another one: `pipeline` would not notice that the client has disconnected.
  if (!response.socket) whenOver(request, response, () => readable.destroy());
}

/** `onError` is called if it breaks for a reason other than a disconnect of the client. */
export function pipeBody(
  body: ReadableStream<Uint8Array>,
  to: Writable,
  isGone: () => boolean,
  onError: (thrown: unknown) => void,
): Readable {
  const readable = Readable.fromWeb(body as never);
  // A connection behind the body may break, too, with the same codes.
  readable.once('error', (error) => isDisconnect(error) && !isGone() && onError(error));
  void pipeline(readable, to).catch((error: NodeJS.ErrnoException) => {
    if (!isDisconnect(error)) onError(error);
  });
  return readable;
}

/** Ends a stream that nobody reads: it may hold a file open. */
export async function discard(body: EncodedReply['body'], onError: (thrown: unknown) => void): Promise<void> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) await body.cancel().catch(onError);
}

function isDisconnect(error: NodeJS.ErrnoException): boolean {
  return DISCONNECTED.has(error.code ?? '');
}

const DISCONNECTED = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ECONNRESET',
  'EPIPE',
  'ABORT_ERR',
]);

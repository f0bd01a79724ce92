import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { App } from '../app/app.ts';
import { statusLine } from '../core/codes.ts';
import { refuse } from '../core/failure.ts';
import type { Limits } from '../core/limits.ts';
import type { Failed } from '../core/outcome.ts';
import { createEnvironment } from '../env/environment.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import type { OriginRules } from '../wires/http/origin.ts';
import { createHttpWire } from '../wires/http/wire.ts';
import type { HttpReply, HttpRequest, HttpWire } from '../wires/http/wire.ts';
import { tooLarge } from '../wires/json-body.ts';
import { Connections, isLast } from './connections.ts';
import { defaultHosts } from './default-hosts.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { answerHalfClosed } from './half-closed.ts';

export interface ServeOptions extends OriginRules, EnvironmentOptions {
  /** 0 for any free port. */
  readonly port?: number;
  /** The address to listen on; this machine only, unless told otherwise. */
  readonly host?: string;
}

export interface NodeHost {
  readonly url: string;
  readonly server: Server;
  /**
   * Takes no new calls, lets those under way end, and closes. Answers whether all of them
   * ended within the limit; the rest are cut off.
   */
  drain(): Promise<boolean>;
}

/** Serves an app with node:http. */
export async function serve(app: App, options: ServeOptions = {}): Promise<NodeHost> {
  const { port = 8080, host = '127.0.0.1' } = options;
  const { limits } = app;
  let draining = false;
  const wire = createHttpWire(app, {
    origins: options.origins,
    environment: createEnvironment(options),
    // Asked for with the first request: where a server listens is known once it does.
    get hosts() {
      return options.hosts ?? defaultHosts(host, bound.address);
    },
    ready: () => !draining,
  });

  const server = createServer({
    maxHeaderSize: limits.headers,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    connectionsCheckingInterval: checkingInterval(limits),
    // Node would answer a missing Host without a body; we answer in JSON.
    requireHostHeader: false,
  });
  answerHalfClosed(server);
  const connections = new Connections(server);
  const stopped: Stopped = (thrown) => void app.fault(thrown, { part: 'http' });
  const send: Send = (reply, request, response) => {
    // Else a client could keep a server that is told to stop alive with one connection.
    if (draining && isLast(request)) response.setHeader('connection', 'close');
    try {
      write(reply, request, response, stopped);
    } catch (thrown) {
      // A header that Node refuses, such as a resource's own media type.
      const failed = wire.fail(thrown, new NodeRequest(request, response, NO_BODY));
      if (response.headersSent) response.destroy();
      else write(failed, request, response, stopped);
    }
  };
  const accept: RequestListener = (request, response) => receive(request, response, wire, limits.body, send);
  server.on('request', accept);
  server.on('checkExpectation', accept);
  server.on('checkContinue', (request, response) => {
    if (Number(request.headers['content-length']) > limits.body)
      return send(wire.refuse(tooLarge(limits.body), request.headers), request, response);
    response.writeContinue();
    accept(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    connections.whenQuiet(socket, () => refuseSocket(socket, wire, error)),
  );
  server.on('connect', (_request, socket) =>
    connections.whenQuiet(socket, () => endSocket(socket, wire.refuse(NO_PROXY))),
  );

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const bound = server.address() as AddressInfo;
  return {
    server,
    url: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    async drain() {
      draining = true;
      // Not yet wire.close(): calls under way need what is kept between requests.
      const ending = wire.endListening();
      const isClean = await connections.closeWithin(limits.drain);
      await ending;
      await wire.close();
      return isClean;
    },
  };
}

/** By default Node looks for connections that are too slow only twice a minute. */
function checkingInterval({ headersTimeout, requestTimeout }: Limits): number {
  const shortest = Math.min(headersTimeout || Infinity, requestTimeout || Infinity);
  return shortest === Infinity ? 30_000 : Math.min(500, Math.max(10, Math.ceil(shortest / 20)));
}

type Send = (reply: HttpReply, request: IncomingMessage, response: ServerResponse) => void;

/** Collects a request's body, within the limit, and answers. */
function receive(request: IncomingMessage, response: ServerResponse, wire: HttpWire, limit: number, send: Send): void {
  const wrongHost = refuseHost(request);
  if (wrongHost) return send(wire.refuse(wrongHost, request.headers), request, response);
  const body = new GrowingBytes();
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) body.add(chunk);
    // The rest is read and dropped, so that the client hears our answer and not a broken connection; up to a point.
    else if (size > limit * PATIENCE && !response.headersSent)
      giveUp(request, response, wire.refuse(tooLarge(limit), request.headers), send);
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

/** Of two names Node would take the first, and a proxy before it perhaps the second (RFC 9112, section 3.2). */
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
const TWO_HOSTS = refuse('BAD_REQUEST', 'There is more than one Host header');
const NO_BODY = new Uint8Array();

const PATIENCE = 16;
const LINGER = 1000;

/** Answers a client that goes on sending, and lets it hear the answer before the connection ends. */
function giveUp(request: IncomingMessage, response: ServerResponse, reply: HttpReply, send: Send): void {
  response.setHeader('connection', 'close');
  send(reply, request, response);
  setTimeout(() => request.destroy(), LINGER).unref();
}

/** The wire's view of a Node request. Nothing is copied. */
class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HttpRequest['headers'];

  constructor(
    request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly body: Uint8Array,
  ) {
    this.method = request.method ?? 'GET';
    this.target = request.url ?? '/';
    this.headers = request.headers;
  }

  readonly onLeave = (listener: () => void): void => {
    this.response.once('close', () => this.response.writableFinished || listener());
  };
}

type Stopped = (thrown: unknown) => void;

function write(
  { status, headers, body }: HttpReply,
  request: IncomingMessage,
  response: ServerResponse,
  stopped: Stopped,
): void {
  if (response.destroyed) return;
  if (status === 204 || status === 304) {
    response.writeHead(status, headers).end();
    return;
  }
  if (typeof body !== 'string') {
    // Not handed to writeHead: what a stream is must be known as long as it lasts.
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return stream(request.method === 'HEAD' ? undefined : body, response.writeHead(status), stopped);
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** As it comes, and no faster than it is read. */
function stream(body: ReadableStream<Uint8Array> | undefined, response: ServerResponse, stopped: Stopped): void {
  if (!body) return void response.end();
  response.flushHeaders();
  void pipeline(Readable.fromWeb(body as never), response).catch((error: NodeJS.ErrnoException) => {
    if (!GONE.has(error.code ?? '')) stopped(error);
  });
}

/** The client may leave at any time. */
const GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE', 'ECONNRESET', 'EPIPE', 'ABORT_ERR']);

const SOCKET_ERRORS: Record<string, Failed> = {
  HPE_HEADER_OVERFLOW: refuse('HEADERS_TOO_LARGE', 'The headers are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: refuse('REQUEST_TIMEOUT', 'The request did not arrive in time'),
};
const NO_PROXY = refuse('METHOD_NOT_ALLOWED', 'This is no proxy');
const MALFORMED = refuse('BAD_REQUEST', 'Malformed HTTP request');

/** What Node could not read as a request has no response object; the reply goes to the socket as it is. */
function refuseSocket(socket: Duplex, wire: HttpWire, error: NodeJS.ErrnoException): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else endSocket(socket, wire.refuse(SOCKET_ERRORS[error.code ?? ''] ?? MALFORMED));
}

function endSocket(socket: Duplex, { status, headers, body: said }: HttpReply): void {
  const body = said as string; // what is refused is never streamed
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': String(Buffer.byteLength(body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.on('error', () => {}); // the client may be gone already, and Node no longer looks after this socket
  socket.end(`HTTP/1.1 ${statusLine(status)}\r\n${head}\r\n${body}`, () => socket.destroy());
}

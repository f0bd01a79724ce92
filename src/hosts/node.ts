import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { App } from '../app.ts';
import { statusLine } from '../core/codes.ts';
import { refuse } from '../core/failure.ts';
import type { Limits } from '../core/limits.ts';
import type { Failed } from '../core/outcome.ts';
import { createEnvironment } from '../env/environment.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import { LOOPBACK_HOSTS } from '../wires/http-origin.ts';
import type { OriginRules } from '../wires/http-origin.ts';
import { createHttpWire } from '../wires/http.ts';
import type { HttpReply, HttpRequest, HttpWire } from '../wires/http.ts';
import { tooLarge } from '../wires/json-body.ts';
import { Connections, isLast } from './connections.ts';

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

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** Serves an app with node:http. */
export async function serve(app: App, options: ServeOptions = {}): Promise<NodeHost> {
  const { port = 8080, host = '127.0.0.1' } = options;
  const { limits } = app;
  let draining = false;
  const wire = createHttpWire(app, {
    origins: options.origins,
    environment: createEnvironment(options),
    // A page that rebinds its own name to this machine sends that name as Host.
    hosts: options.hosts ?? (LOOPBACK.test(host) ? [...LOOPBACK_HOSTS, host] : undefined),
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
  const connections = new Connections(server);
  const send: Send = (reply, request, response) => {
    // Else a client could keep a server that is told to stop alive with one connection.
    if (draining && isLast(request)) response.setHeader('connection', 'close');
    write(reply, request, response);
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
  return shortest === Infinity ? 30_000 : Math.max(10, Math.ceil(shortest / 4));
}

type Send = (reply: HttpReply, request: IncomingMessage, response: ServerResponse) => void;

/** Collects a request's body, within the limit, and answers. */
function receive(request: IncomingMessage, response: ServerResponse, wire: HttpWire, limit: number, send: Send): void {
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    send(wire.refuse(refuse('BAD_REQUEST', 'The Host header is missing'), request.headers), request, response);
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    // The rest is read and dropped, so that the client hears our answer and not a broken connection; up to a point.
    else if (size > limit * PATIENCE && !response.headersSent)
      giveUp(request, response, wire.refuse(tooLarge(limit), request.headers), send);
  });
  request.on('end', () => {
    if (size > limit) {
      if (!response.headersSent) send(wire.refuse(tooLarge(limit), request.headers), request, response);
      return;
    }
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
    const reply = wire.handle(new NodeRequest(request, response, body));
    if (reply instanceof Promise) void reply.then((late) => send(late, request, response));
    else send(reply, request, response);
  });
}

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

function write({ status, headers, body }: HttpReply, request: IncomingMessage, response: ServerResponse): void {
  if (response.destroyed) return;
  if (status === 204 || status === 304) {
    response.writeHead(status, headers).end();
    return;
  }
  if (typeof body !== 'string')
    return stream(request.method === 'HEAD' ? undefined : body, response.writeHead(status, headers));
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** As it comes, and no faster than it is read. */
function stream(body: ReadableStream<Uint8Array> | undefined, response: ServerResponse): void {
  if (!body) return void response.end();
  response.flushHeaders();
  void pipeline(Readable.fromWeb(body as never), response).catch(() => {}); // the client may leave at any time
}

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

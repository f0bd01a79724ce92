import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '../app/app.ts';
import type { Limits } from '../core/limits.ts';
import { createEnvironment } from '../env/environment.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import type { OriginRules } from '../wires/http/origin.ts';
import { createHttpWire } from '../wires/http/wire.ts';
import { tooLarge } from '../wires/json-body.ts';
import type { TlsOptions } from './certificate.ts';
import { checkServeOptions } from './check-serve-options.ts';
import { createCompress } from './compression.ts';
import type { CompressionOptions, EncodedReply } from './compression.ts';
import { Connections, isLast } from './connections.ts';
import { defaultHosts } from './default-hosts.ts';
import { serveHalfClosed } from './half-closed.ts';
import { NodeRequest, receiveRequest, writeReply } from './node-exchange.ts';
import type { Send } from './node-exchange.ts';
import { refuseProxying, refuseSocket } from './refuse-socket.ts';

export interface ServeOptions extends OriginRules, EnvironmentOptions {
  /** 0 for any free port. */
  readonly port?: number;
  /** The address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /** Serves HTTPS, with HTTP/2, instead of HTTP. */
  readonly tls?: TlsOptions | undefined;
  /** Large responses are compressed for clients that accept it; `false` for none. */
  readonly compression?: CompressionOptions | false | undefined;
}

export interface NodeHost {
  readonly url: string;
  readonly server: Server;
  /**
   * Takes no new calls, waits for running ones, and closes. Resolves to whether all of them ended within the limit; the
   * rest are cut off.
   */
  drain(): Promise<boolean>;
  /**
   * Uses a new certificate for new connections: by default, what the files contain now. Throws an Error if it is not
   * valid, and the previous one stays in use.
   */
  reloadTls(tls?: TlsOptions): void;
}

/** Serves an app with node:http. */
export async function serve(app: App, options: ServeOptions = {}): Promise<NodeHost> {
  checkServeOptions(options);
  const { port = 8080, host = '127.0.0.1', tls } = options;
  const { limits } = app;
  let draining = false;
  const wire = createHttpWire(app, {
    cors: options.cors,
    environment: createEnvironment(options),
    // A getter, read with the first request: the bound address is known once the server listens.
    get hosts() {
      return options.hosts ?? defaultHosts(host, bound.address);
    },
    ready: () => !draining,
  });

  const settings = {
    maxHeaderSize: limits.headers,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    connectionsCheckingInterval: checkingInterval(limits),
    // Node would refuse a missing Host without a body; we respond in JSON.
    requireHostHeader: false,
  };
  const onStreamError = (thrown: unknown) => void app.reportError(thrown, { part: 'http' });
  const compress = createCompress(options.compression, onStreamError);
  const secure =
    tls &&
    (await import('./tls-server.ts')).createTlsServer(tls, settings, () => ({
      wire,
      limits,
      compress,
      connections,
      onStreamError,
    }));
  const server = secure?.server ?? createServer(settings);
  serveHalfClosed(server);
  const connections = new Connections(server);
  const send: Send = (reply, request, response) => {
    const encoded = compress(reply, request);
    if (encoded instanceof Promise) void encoded.then((late) => write(late, request, response));
    else write(encoded, request, response);
  };
  const write = (reply: EncodedReply, request: IncomingMessage, response: ServerResponse) => {
    // Otherwise a client could keep a stopping server alive with one connection.
    if (draining && isLast(request)) response.setHeader('connection', 'close');
    try {
      writeReply(reply, request, response, onStreamError);
    } catch (thrown) {
      // A header that Node refuses, such as the media type of a resource.
      const failed = wire.fail(thrown, new NodeRequest(request, response, NO_BODY));
      if (response.headersSent) response.destroy();
      else writeReply(failed, request, response, onStreamError);
    }
  };
  const accept: RequestListener = (request, response) => receiveRequest(request, response, wire, limits.body, send);
  server.on('request', accept);
  server.on('checkExpectation', accept);
  server.on('checkContinue', (request, response) => {
    if (Number(request.headers['content-length']) > limits.body)
      return send(wire.refuse(tooLarge(limits.body), request.headers), request, response);
    response.writeContinue();
    accept(request, response);
  });
  server.on('clientError', (error, socket) => connections.whenIdle(socket, () => refuseSocket(socket, wire, error)));
  server.on('connect', (_request, socket) => connections.whenIdle(socket, () => refuseProxying(socket, wire)));

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const bound = server.address() as AddressInfo;
  return {
    server,
    url: `${secure ? 'https' : 'http'}://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    async drain() {
      draining = true;
      // Not yet wire.close(): running calls need their sessions.
      const ending = wire.endListening();
      const isClean = await connections.closeWithin(limits.drain);
      await ending;
      await wire.close();
      return isClean;
    },
    reloadTls(next = tls) {
      if (!secure || !next) throw new Error('reloadTls: this server was started without the option tls');
      secure.reload(next);
    },
  };
}

const NO_BODY = new Uint8Array();

/** By default Node checks for slow connections only twice a minute. */
function checkingInterval({ headersTimeout, requestTimeout }: Limits): number {
  const shortest = Math.min(headersTimeout || Infinity, requestTimeout || Infinity);
  return shortest === Infinity ? 30_000 : Math.min(500, Math.max(10, Math.ceil(shortest / 20)));
}

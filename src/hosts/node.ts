import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '../app/app.ts';
import type { Limits } from '../core/limits.ts';
import { createEnvironment } from '../env/environment.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import type { OriginRules } from '../wires/http/origin.ts';
import { createHttpWire } from '../wires/http/wire.ts';
import { tooLarge } from '../wires/json-body.ts';
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
}

export interface NodeHost {
  readonly url: string;
  readonly server: Server;
  /**
   * Takes no new calls, waits for running ones, and closes. Resolves to whether all of them ended within the limit; the
   * rest are cut off.
   */
  drain(): Promise<boolean>;
}

/** Serves an app with node:http. */
export async function serve(app: App, options: ServeOptions = {}): Promise<NodeHost> {
  const { port = 8080, host = '127.0.0.1' } = options;
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

  const server = createServer({
    maxHeaderSize: limits.headers,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    connectionsCheckingInterval: checkingInterval(limits),
    // Node would refuse a missing Host without a body; we respond in JSON.
    requireHostHeader: false,
  });
  serveHalfClosed(server);
  const connections = new Connections(server);
  const onStreamError = (thrown: unknown) => void app.reportError(thrown, { part: 'http' });
  const send: Send = (reply, request, response) => {
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
    url: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    async drain() {
      draining = true;
      // Not yet wire.close(): running calls need their sessions.
      const ending = wire.endListening();
      const isClean = await connections.closeWithin(limits.drain);
      await ending;
      await wire.close();
      return isClean;
    },
  };
}

const NO_BODY = new Uint8Array();

/** By default Node checks for slow connections only twice a minute. */
function checkingInterval({ headersTimeout, requestTimeout }: Limits): number {
  const shortest = Math.min(headersTimeout || Infinity, requestTimeout || Infinity);
  return shortest === Infinity ? 30_000 : Math.min(500, Math.max(10, Math.ceil(shortest / 20)));
}

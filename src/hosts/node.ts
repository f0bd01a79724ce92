import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '../app/app.ts';
import { createEnvironment } from '../env/environment.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import type { OriginRules } from '../wires/http/origin.ts';
import { createHttpWire } from '../wires/http/wire.ts';
import { tooLarge } from '../wires/json-body.ts';
import { Connections, isLast } from './connections.ts';
import { defaultHosts } from './default-hosts.ts';
import { serveHalfClosed } from './half-closed.ts';
import { serverLimits } from './mounts.ts';
import type { Mount, ServerLimits } from './mounts.ts';
import { receiveRequest } from './node-exchange.ts';
import { refuseProxying, refuseSocket } from './refuse-socket.ts';
import { serveApps } from './served-apps.ts';

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
  return listen([{ base: '', app }], options);
}

/** Serves apps below their paths. */
export async function listen(mounts: readonly Mount[], options: ServeOptions): Promise<NodeHost> {
  const { port = 8080, host = '127.0.0.1' } = options;
  const limits = serverLimits(mounts);
  let draining = false;
  const environment = createEnvironment(options);
  const apps = serveApps(mounts, {
    createWire: ({ app, base }) =>
      createHttpWire(app, {
        origins: options.origins,
        environment,
        base,
        // A getter, read with the first request: the bound address is known once the server listens.
        get hosts() {
          return options.hosts ?? defaultHosts(host, bound.address);
        },
        ready: () => !draining,
      }),
    beforeSend(request, response) {
      // Otherwise a client could keep a stopping server alive with one connection.
      if (draining && isLast(request)) response.setHeader('connection', 'close');
    },
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
  const accept: RequestListener = (request, response) => {
    const { responder, place } = apps.find(request);
    receiveRequest(request, response, responder, place);
  };
  server.on('request', accept);
  server.on('checkExpectation', accept);
  server.on('checkContinue', (request, response) => {
    const { wire, send, limit } = apps.find(request).responder;
    if (Number(request.headers['content-length']) > limit)
      return send(wire.refuse(tooLarge(limit), request.headers), request, response);
    response.writeContinue();
    accept(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    connections.whenIdle(socket, () => refuseSocket(socket, apps.wire, error)),
  );
  server.on('connect', (_request, socket) => connections.whenIdle(socket, () => refuseProxying(socket, apps.wire)));

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
      // Not yet apps.close(): running calls need their sessions.
      const ending = apps.endListening();
      const isClean = await connections.closeWithin(limits.drain);
      await ending;
      await apps.close();
      return isClean;
    },
  };
}

/** By default Node checks for slow connections only twice a minute. */
function checkingInterval({ headersTimeout, requestTimeout }: ServerLimits): number {
  const shortest = Math.min(headersTimeout || Infinity, requestTimeout || Infinity);
  return shortest === Infinity ? 30_000 : Math.min(500, Math.max(10, Math.ceil(shortest / 20)));
}

import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '../app/app.ts';
import { checkApp } from '../app/is-app.ts';
import { createEnvironment } from '../env/environment.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import type { OriginRules } from '../wires/http/origin.ts';
import { createHttpWire } from '../wires/http/wire.ts';
import { tooLarge } from '../wires/json-body.ts';
import type { TlsOptions } from './certificate.ts';
import { checkServeOptions } from './check-serve-options.ts';
import type { CompressionOptions } from './compression.ts';
import { Connections, isLast } from './connections.ts';
import { defaultHosts } from './default-hosts.ts';
import { serveHalfClosed } from './half-closed.ts';
import type { Handover } from './handover.ts';
import { serverLimits } from './mounts.ts';
import type { Mount, ServerLimits } from './mounts.ts';
import { isUpload, receiveRequest, refuseUnread } from './node-exchange.ts';
import { refuseProxying, refuseSocket } from './refuse-socket.ts';
import { serveApps } from './served-apps.ts';
import { createConsoles } from './show-console.ts';
import type { ShowConsoleOptions } from './show-console.ts';
import { startApps } from './start-apps.ts';
import { isOverfull } from './when-over.ts';

export interface ServeOptions extends OriginRules, EnvironmentOptions {
  /** 0 for any free port. */
  readonly port?: number;
  /** The address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /** Serves HTTPS, with HTTP/2, instead of HTTP. */
  readonly tls?: TlsOptions | undefined;
  /** Large responses are compressed for clients that accept it; `false` for none. */
  readonly compression?: CompressionOptions | false | undefined;
  /**
   * Addresses of proxies in front of the server, such as `10.0.0.7` or `10.0.0.0/8`. What they say about the client's address
   * and scheme is believed (`X-Forwarded-For`, `X-Forwarded-Proto`, `Forwarded`); nobody is by default.
   */
  readonly trustProxy?: readonly string[] | undefined;
  /** `portable` lists MCP tools without dots in their names, for clients that reject them; calls work with either name. */
  readonly names?: 'portable' | undefined;
  /** Whether the console is shown at `/console/`; by default what the app says, or else not. */
  readonly console?: boolean | ShowConsoleOptions | undefined;
}

export interface NodeHost {
  readonly url: string;
  /** Where the console of the app at the root is, if it is shown. */
  readonly consoleUrl: string | undefined;
  readonly server: Server;
  /**
   * Takes no new calls, waits for running ones, closes, and stops the apps that it started. Resolves to whether all calls
   * ended within the limit; the rest are cut off.
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
  checkApp(app, 'serve');
  checkServeOptions(options);
  return listen([{ base: '', app }], options);
}

/** A host in one of several processes. */
export interface WorkerHost extends NodeHost {
  /**
   * Takes no new connections, responds to everything that comes on those that are open, and closes each with its next response;
   * then as `drain`. Without a limit: other processes serve already.
   */
  retire(): Promise<void>;
}

/** Starts apps, and serves them below their paths: on a port, or on the connections of another process. */
export async function listen(
  mounts: readonly Mount[],
  options: ServeOptions,
  handover?: Handover,
): Promise<WorkerHost> {
  const stopApps = await startApps(mounts, options);
  try {
    return await open(mounts, options, stopApps, handover);
  } catch (thrown) {
    await stopApps();
    throw thrown;
  }
}

async function open(
  mounts: readonly Mount[],
  options: ServeOptions,
  stopApps: () => Promise<void>,
  handover: Handover | undefined,
): Promise<WorkerHost> {
  const { port = 8080, host = '127.0.0.1', tls, trustProxy } = options;
  const proxies = trustProxy && (await import('./trust-proxy.ts')).createTrustedProxies(trustProxy);
  const limits = serverLimits(mounts);
  let draining = false;
  let closing = false;
  const consoles = createConsoles(options, () => bound.address);
  const endListening = async () => void (await Promise.all([consoles.close(), apps.endListening()]));
  const environment = createEnvironment(options);
  const apps = serveApps(mounts, {
    compression: options.compression,
    proxies,
    createWire: ({ app, base }) =>
      createHttpWire(app, {
        cors: options.cors,
        environment,
        base,
        apps: mounts.map((mount) => mount.app),
        // A getter, read with the first request: the bound address is known once the server listens.
        get hosts() {
          return options.hosts ?? defaultHosts(host, bound.address);
        },
        names: options.names,
        otherPaths: consoles.pathsOf(app),
        ready: () => !draining,
        stateless: handover?.stateless,
        secret: handover?.secret,
        isChanging: handover?.isChanging,
      }),
    beforeSend(request, response) {
      // Otherwise a client could keep a stopping server alive with one connection. After a request with Upgrade, which is
      // answered as if it had none, Node drops what the client sends.
      if ((closing && isLast(request)) || request.headers.upgrade !== undefined)
        response.setHeader('connection', 'close');
    },
  });

  const settings = {
    maxHeaderSize: limits.headers,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    connectionsCheckingInterval: checkingInterval(limits),
    // Node would refuse a missing Host without a body; we respond in JSON.
    requireHostHeader: false,
  };
  const secure =
    tls && (await import('./tls-server.ts')).createTlsServer(tls, settings, () => ({ apps, limits, connections }));
  const server = secure?.server ?? createServer(settings);
  // Otherwise Node drops all fields after the 2000th, so that a second Host or Authorization would not be seen.
  server.maxHeadersCount = 0;
  serveHalfClosed(server);
  const connections = new Connections(server, limits.responseTimeout);
  const accept: RequestListener = (request, response) => {
    if (isOverfull(request, response)) return;
    const { responder, place } = apps.find(request);
    receiveRequest(request, response, responder, place);
  };
  server.on('request', accept);
  server.on('checkExpectation', accept);
  server.on('checkContinue', (request, response) => {
    const { responder, place } = apps.find(request);
    const { wire, send, limit } = responder;
    if (Number(request.headers['content-length']) > limit && !isUpload(request, wire, place))
      return refuseUnread(wire.refuse(tooLarge(limit), request.headers), request, response, send);
    response.writeContinue();
    accept(request, response);
  });
  server.on('clientError', (error, socket) =>
    connections.whenIdle(socket, () => refuseSocket(socket, apps.wire, error)),
  );
  server.on('connect', (_request, socket) => connections.whenIdle(socket, () => refuseProxying(socket, apps.wire)));

  if (handover) (await import('./handover.ts')).serveHandedOver(server, handover);
  else
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => resolve());
    });
  const bound = handover?.address ?? (server.address() as AddressInfo);
  const url = `${secure ? 'https' : 'http'}://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
  const atRoot = mounts.find(({ base }) => base === '');
  return {
    server,
    url,
    consoleUrl: atRoot && consoles.isShown(atRoot.app) ? `${url}/console/` : undefined,
    async drain() {
      draining = closing = true;
      // Not yet apps.close(): running calls need their sessions.
      const ending = endListening();
      const isClean = await connections.closeWithin(limits.drain);
      await ending;
      await apps.close();
      await stopApps();
      return isClean;
    },
    async retire() {
      closing = true;
      const retired = connections.retire();
      await endListening();
      await retired;
      await apps.close();
      await stopApps();
    },
    reloadTls(next = tls) {
      if (!secure || !next) throw new Error('reloadTls: this server was started without the option tls');
      secure.reload(next);
    },
  };
}

/** By default Node checks for slow connections only twice a minute. */
function checkingInterval({ headersTimeout, requestTimeout }: ServerLimits): number {
  const shortest = Math.min(headersTimeout || Infinity, requestTimeout || Infinity);
  return shortest === Infinity ? 30_000 : Math.min(500, Math.max(10, Math.ceil(shortest / 20)));
}

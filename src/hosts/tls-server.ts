import type { Server, ServerOptions } from 'node:http';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { readCertificate } from './certificate.ts';
import type { TlsOptions } from './certificate.ts';
import { serveHttp2 } from './http2.ts';
import type { Http2Options } from './http2.ts';

/** The longest time that a timer of Node can take. */
const FOREVER = 2 ** 31 - 1;

/** A server for HTTPS, which serves HTTP/2 on the connections of clients that prefer it. */
export function createTlsServer(
  tls: TlsOptions,
  settings: ServerOptions & { readonly headersTimeout: number },
  http2Options: () => Http2Options,
): { readonly server: Server; reload(tls: TlsOptions): void } {
  const server = createServer({
    ...settings,
    ...readCertificate(tls),
    ALPNProtocols: HAS_HTTP2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    // node:http does this itself (see half-closed.ts).
    allowHalfOpen: true,
    handshakeTimeout: settings.headersTimeout || FOREVER,
  });
  if (HAS_HTTP2) addHttp2(server, http2Options);
  return {
    server,
    reload(next) {
      if (!server.setSecureContext) throw new Error('TLS: Bun cannot replace a certificate; restart the server');
      server.setSecureContext(readCertificate(next));
    },
  };
}

/** Bun's server for HTTPS is not made of connections that can be served in another way. */
const HAS_HTTP2 = process.versions['bun'] === undefined;

/** Instead of a server of node:http2, whose HTTP/1.1 lacks the time limits of node:https. */
function addHttp2(server: Server, options: () => Http2Options): void {
  const [serveHttp1] = server.listeners('secureConnection') as [(this: Server, socket: TLSSocket) => void];
  server.removeListener('secureConnection', serveHttp1);
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') serveHttp2(socket, options());
    else serveHttp1.call(server, socket);
  });
}

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
    ALPNProtocols: ['h2', 'http/1.1'],
    // node:http does this itself (see half-closed.ts).
    allowHalfOpen: true,
    handshakeTimeout: settings.headersTimeout || FOREVER,
  });
  const [serveHttp1] = server.listeners('secureConnection') as [(this: Server, socket: TLSSocket) => void];
  server.removeListener('secureConnection', serveHttp1);
  server.on('secureConnection', (socket) => {
    if (socket.alpnProtocol === 'h2') serveHttp2(socket, http2Options());
    else serveHttp1.call(server, socket);
  });
  return { server, reload: (next) => server.setSecureContext(readCertificate(next)) };
}

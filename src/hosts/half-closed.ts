import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isStreamType } from '../wires/http/stream-type.ts';
import { CONNECTED } from './connections.ts';
import { responseOn } from './response-on.ts';

/** Milliseconds from a half-close to the first probe, and between probes. */
const FIRST_PROBE = 300;
const PROBE_INTERVAL = 200;

/**
 * Keeps serving clients that half-close: they end their side of the connection after the request, and wait for the
 * response. At first that looks exactly like a disconnect. So the call continues, and while it runs, probes are sent
 * that a client ignores. If the client is gone, a probe breaks the connection, and the call is cancelled as usual.
 */
export function serveHalfClosed(server: Server): void {
  // Without this, Node ends its own side as well. Undocumented, but as old as node:http.
  Object.assign(server, { httpAllowHalfOpen: true });
  for (const event of CONNECTED) server.on(event, probeWhenHalfClosed);
}

function probeWhenHalfClosed(socket: Socket): void {
  socket.once('end', () => {
    // Clients ignore comments in an event stream and empty lines of NDJSON, so the first probe need not wait.
    let timer = setTimeout(probe, isStreaming(responseOn(socket)) ? 0 : FIRST_PROBE);
    socket.once('close', () => clearTimeout(timer));

    function probe(): void {
      const response = responseOn(socket);
      if (!response || response.writableEnded || socket.destroyed) return;
      sendProbe(response);
      timer = setTimeout(probe, PROBE_INTERVAL);
    }
  });
}

const isStreaming = (response: ServerResponse | null | undefined) =>
  response?.headersSent === true && isStreamType(response.getHeader('content-type'));

const isSse = (response: ServerResponse) => String(response.getHeader('content-type')).startsWith('text/event-stream');

function sendProbe(response: ServerResponse): void {
  if (!response.headersSent) {
    if (response.req.httpVersion === '1.1') response.writeProcessing();
    // HTTP/1.0 has no interim responses: a client would take 102 for the final one. Proxies use it, and disconnect like this.
    else response.req.socket.destroy();
  } else if (isStreaming(response)) response.write(isSse(response) ? ':\n\n' : '\n');
}

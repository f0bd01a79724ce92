import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { responseOn } from './response-on.ts';

/** How long after its last word a client is believed to be there still, and how often it is tried after that. */
const PATIENCE = 300;
const AGAIN = 200;

/**
 * A client may end its side of a connection once it has sent its request, and wait for the answer. On the wire that
 * looks exactly like leaving. So the answer is worked on, and if it takes its time, something is written that a client
 * skips and that a connection without a client refuses: then the call ends, as for any client that leaves.
 */
export function answerHalfClosed(server: Server): void {
  // Without this Node ends its own side as well. It is not documented, but as old as node:http.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket: Socket) => {
    socket.once('end', () => {
      // A comment in a stream of events is nothing to its client, so that can be tried at once.
      let timer = setTimeout(probe, isStreaming(responseOn(socket)) ? 0 : PATIENCE);
      socket.once('close', () => clearTimeout(timer));

      function probe(): void {
        const response = responseOn(socket);
        if (!response || response.writableEnded || socket.destroyed) return;
        touch(response);
        timer = setTimeout(probe, AGAIN);
      }
    });
  });
}

const isStreaming = (response: ServerResponse | null | undefined) =>
  response?.headersSent === true && String(response.getHeader('content-type')).startsWith('text/event-stream');

function touch(response: ServerResponse): void {
  if (!response.headersSent) {
    // Interim answers are of HTTP/1.1; an older client would take one for its answer.
    if (response.req.httpVersion === '1.1') response.writeProcessing();
  } else if (isStreaming(response)) response.write(':\n\n');
}

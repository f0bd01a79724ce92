import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { whenOver } from '../../hosts/when-over.ts';
import { passHead, sendHead } from './passed-on.ts';

/**
 * Passes a request to a version and its response to the client, byte by byte. If one of the two hangs up, so does this: nothing
 * is answered that the app did not answer.
 */
export function passCall(request: IncomingMessage, response: ServerResponse, socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const sent = sendHead(request, socket);
    sent.on('continue', () => response.writeContinue());
    sent.on('response', (received) => {
      passHead(received, response);
      received.pipe(response);
      received.on('error', () => response.destroy());
    });
    sent.on('error', () => response.destroy());
    // A response may come before the end of the request, which then nobody reads.
    request.on('error', () => {});
    whenOver(request, response, () => {
      sent.destroy();
      request.resume();
      resolve();
    });
    request.pipe(sent);
  });
}

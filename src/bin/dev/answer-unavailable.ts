import type { IncomingMessage, ServerResponse } from 'node:http';
import { unavailable } from '../../wires/mcp/jsonrpc.ts';

/** Why no version can take a call, and after how many seconds that may be different. */
export interface Absence {
  readonly message: string;
  readonly retryAfter: number;
}

/** Answers for an app that is not there, as the app itself does when it is busy. Only the app knows its profile and its ids. */
export function answerUnavailable(request: IncomingMessage, response: ServerResponse, absence: Absence): void {
  const { message, retryAfter } = absence;
  const isMcp = /^\/mcp(?:[/?]|$)/.test(request.url ?? '');
  response.writeHead(503, {
    'content-type': 'application/json',
    'retry-after': String(retryAfter),
    'everywire-error-code': 'UNAVAILABLE',
  });
  request.on('error', () => {}); // a client that leaves needs no answer
  request.resume();
  response.end(JSON.stringify(isMcp ? unavailable(null, message) : { error: message }));
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests in progress on one connection; the value that RFC 9113 recommends as the least for HTTP/2. */
export const MAX_IN_PROGRESS = 100;

/** Requests on a connection that came while the response to another one was in progress (pipelining). */
interface Pipelined {
  count: number;
  readonly listeners: Set<() => void>;
}

const PIPELINED = new WeakMap<Socket, Pipelined>();

/**
 * Calls the listener once, when the response is sent or the client has disconnected. Node emits `close` only for the response
 * whose turn it is on its connection. Those behind it are never closed if the connection is, so they listen to that, too.
 */
export function whenOver(request: IncomingMessage, response: ServerResponse, listener: () => void): void {
  if (isOver(request, response)) return listener();
  if (response.socket) return void response.once('close', listener);
  const { listeners } = pipelinedOn(request.socket);
  const end = () => {
    if (!listeners.delete(end)) return;
    response.off('close', end);
    listener();
  };
  listeners.add(end);
  response.once('close', end);
}

/** Whether nobody can receive the response any more. */
export function isOver({ socket }: IncomingMessage, response: ServerResponse): boolean {
  return response.destroyed || socket?.destroyed;
}

/**
 * Closes a connection with too many requests in progress, and returns true. It cannot be answered before the others, and
 * one that is paused instead would not notice that its client has disconnected.
 */
export function isOverfull(request: IncomingMessage, response: ServerResponse): boolean {
  if (response.socket) return false; // its turn
  const pipelined = pipelinedOn(request.socket);
  if (++pipelined.count < MAX_IN_PROGRESS) whenOver(request, response, () => pipelined.count--);
  else request.socket.destroy();
  return request.socket.destroyed;
}

/** One listener for each connection: Node warns of more than ten. */
function pipelinedOn(socket: Socket): Pipelined {
  const known = PIPELINED.get(socket);
  if (known) return known;
  const listeners = new Set<() => void>();
  const pipelined = { count: 0, listeners };
  PIPELINED.set(socket, pipelined);
  socket.once('close', () => {
    for (const end of listeners) end();
  });
  return pipelined;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests in progress on one connection; the value that RFC 9113 recommends as the least for HTTP/2. */
export const MAX_IN_PROGRESS = 100;

/**
 * Responses that wait for another one on their connection (pipelining), and what is called when they are over. One listener
 * for each connection and each response: Node warns of more than ten.
 */
type Pipelined = Map<ServerResponse, (() => void)[]>;

const PIPELINED = new WeakMap<Socket, Pipelined>();

/**
 * Calls the listener once, when the response is sent or the client has disconnected. Node emits `close` only for the response
 * whose turn it is on its connection. Those behind it are never closed if the connection is, so they listen to that, too.
 */
export function whenOver(request: IncomingMessage, response: ServerResponse, listener: () => void): void {
  if (isOver(request, response)) listener();
  else if (isPipelined(request, response)) listenersOf(request, response).push(listener);
  else response.once('close', listener);
}

/** Whether the response can no longer be received. */
export function isOver({ socket }: IncomingMessage, response: ServerResponse): boolean {
  return response.destroyed || socket?.destroyed;
}

/**
 * Closes a connection with too many requests in progress, and returns true. It cannot be answered before the others, and
 * one that is paused instead would not notice that its client has disconnected.
 */
export function isOverfull(request: IncomingMessage, response: ServerResponse): boolean {
  if (!isPipelined(request, response)) return false;
  if (pipelinedOn(request.socket).size + 1 < MAX_IN_PROGRESS) listenersOf(request, response);
  else request.socket.destroy();
  return request.socket.destroyed;
}

/** Whether another response comes first. Requests that a framework makes up may have no connection. */
function isPipelined({ socket }: IncomingMessage, response: ServerResponse): boolean {
  return !response.socket && typeof socket?.once === 'function';
}

function listenersOf({ socket }: IncomingMessage, response: ServerResponse): (() => void)[] {
  const pipelined = pipelinedOn(socket);
  const known = pipelined.get(response);
  if (known) return known;
  const listeners: (() => void)[] = [];
  pipelined.set(response, listeners);
  response.once('close', () => end(pipelined, response));
  return listeners;
}

function pipelinedOn(socket: Socket): Pipelined {
  const known = PIPELINED.get(socket);
  if (known) return known;
  const pipelined: Pipelined = new Map();
  PIPELINED.set(socket, pipelined);
  socket.once('close', () => {
    for (const response of pipelined.keys()) end(pipelined, response);
  });
  return pipelined;
}

function end(pipelined: Pipelined, response: ServerResponse): void {
  const listeners = pipelined.get(response) ?? [];
  pipelined.delete(response);
  for (const listener of listeners) listener();
}

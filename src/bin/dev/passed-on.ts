import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const isChunked = (name: string) => name.toLowerCase() === 'transfer-encoding';

/** They are about a connection, not about a request: each of the two connections has its own. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-connection']);
/** Larger ones are refused by the app, which has its own limit. */
export const MAX_HEADER_SIZE = 1024 * 1024;

/** Sends the head of a request to a version, on a connection that is for this request only. */
export function sendHead({ method, url, rawHeaders }: IncomingMessage, socket: Socket): ClientRequest {
  const headers = endToEnd(rawHeaders);
  const has = (name: string) => headers.some((one, i) => i % 2 === 0 && one.toLowerCase() === name);
  // Otherwise Node announces a body for methods that may have one.
  if (!has('content-length') && !has('transfer-encoding')) headers.push('Content-Length', '0');
  return httpRequest({
    createConnection: () => socket,
    method: method!,
    path: url!,
    headers: [...headers, 'Connection', 'close'] as never,
    setHost: false,
    maxHeaderSize: MAX_HEADER_SIZE,
  });
}

/** Sends the head of a version's response to the client. */
export function passHead({ statusCode, statusMessage, rawHeaders }: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false; // the version has done that
  response.writeHead(statusCode!, statusMessage, endToEnd(rawHeaders, isChunked));
  response.flushHeaders(); // a stream may be silent for long
}

function endToEnd(raw: readonly string[], isLeftOut: (name: string) => boolean = () => false): string[] {
  const isKept = (name: string) => !HOP_BY_HOP.has(name.toLowerCase()) && !isLeftOut(name);
  return raw.filter((_, i) => isKept(raw[i - (i % 2)]!));
}

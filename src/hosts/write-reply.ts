import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HttpReply } from '../wires/http/message.ts';

/** Writes a reply to a Node response. `onError` is called if a stream breaks for a reason other than a disconnect. */
export function writeReply(
  { status, headers, body }: HttpReply,
  request: IncomingMessage,
  response: ServerResponse,
  onError: (thrown: unknown) => void,
): void {
  if (response.destroyed) return;
  if (status === 204 || status === 304) {
    response.writeHead(status, headers).end();
    return;
  }
  if (typeof body !== 'string') {
    // Not passed to writeHead: half-closed.ts reads the content type with getHeader, which only knows these.
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return stream(request.method === 'HEAD' ? undefined : body, response.writeHead(status), onError);
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Sends chunks as they come, and no faster than the client reads. */
function stream(
  body: ReadableStream<Uint8Array> | undefined,
  response: ServerResponse,
  onError: (thrown: unknown) => void,
): void {
  if (!body) return void response.end();
  response.flushHeaders();
  void pipeline(Readable.fromWeb(body as never), response).catch((error: NodeJS.ErrnoException) => {
    if (!DISCONNECTED.has(error.code ?? '')) onError(error);
  });
}

const DISCONNECTED = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ECONNRESET',
  'EPIPE',
  'ABORT_ERR',
]);

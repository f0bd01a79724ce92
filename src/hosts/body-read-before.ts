import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import type { HttpHeaders } from '../wires/http/message.ts';
import { refuseSimple } from '../wires/http/simple-request.ts';

export interface BodyReadBefore {
  readonly body: Uint8Array;
  readonly headers: HttpHeaders;
  readonly isParsed?: true;
}

/**
 * The body, if the server around us has read it: its bytes, or the value that a parser has left in `request.body`. Undefined
 * if nobody has read it. Throws if it is lost, since waiting for it would never end.
 */
export function bodyReadBefore(
  request: IncomingMessage & { readonly body?: unknown },
): BodyReadBefore | Failed | undefined {
  if (!request.readableDidRead && !request.readableEnded) {
    if (request.readableEncoding) throw new Error(DECODED);
    return undefined;
  }
  const { body } = request;
  // Parsers decompress, too.
  const headers = { ...request.headers, 'content-encoding': undefined };
  if (body instanceof Uint8Array) return { body, headers };
  const isParsed = true;
  if (typeof body === 'string') return { body: new TextEncoder().encode(body), headers, isParsed };
  if (body === undefined || body === null) {
    if (hasBody(request.headers)) throw new Error(LOST);
    return { body: new Uint8Array(), headers };
  }
  try {
    const json = new TextEncoder().encode(JSON.stringify(body));
    // A form of another origin keeps its type, by which it is refused.
    const scheme = (request.socket as Partial<TLSSocket> | undefined)?.encrypted ? 'https' : 'http';
    const isRefused = refuseSimple({ method: request.method ?? 'GET', headers, scheme }) !== undefined;
    return { body: json, headers: isRefused ? headers : { ...headers, 'content-type': 'application/json' }, isParsed };
  } catch {
    return TOO_DEEP; // a parser made it of JSON
  }
}

const LOST =
  'The body was read before the app got the request, and is not in request.body. ' +
  'Mount the app before the body parser, or set request.body to what was read.';

const DECODED = 'The app needs the bytes of the body: call request.setEncoding() only for requests of your own.';

const TOO_DEEP = refuse('BAD_REQUEST', 'The body is nested too deeply');

const hasBody = (headers: IncomingMessage['headers']) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

import type { Duplex } from 'node:stream';
import { statusLine } from '../core/codes.ts';
import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import type { HttpHeaders, HttpReply } from '../wires/http/message.ts';
import type { HttpWire } from '../wires/http/wire.ts';

// Requests that Node could not parse have no response object: the reply is written to the socket.

export const LARGE_HEADERS = refuse('HEADERS_TOO_LARGE', 'The headers are too large');
export const TOO_SLOW = refuse('REQUEST_TIMEOUT', 'The request did not arrive in time');
export const NO_PROXY = refuse('METHOD_NOT_ALLOWED', 'This server is not a proxy');

const SOCKET_ERRORS: Record<string, Failed> = {
  HPE_HEADER_OVERFLOW: LARGE_HEADERS,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};
const NO_TLS = refuse('BAD_REQUEST', 'This port serves HTTPS; use https://');
const MALFORMED = refuse('BAD_REQUEST', 'Malformed HTTP request');

/** Responds to what is no valid HTTP request, or did not arrive in time. */
export function refuseSocket(socket: Duplex, wire: HttpWire, error: SocketError): void {
  if (error.code === 'ERR_SSL_HTTP_REQUEST') refuseWithoutTls(socket, wire);
  // A failed handshake: nothing can be sent.
  else if (error.code === 'ECONNRESET' || /^ERR_(?:SSL|TLS)_/.test(error.code ?? '') || !socket.writable)
    socket.destroy();
  else endSocket(socket, wire.refuse(SOCKET_ERRORS[error.code ?? ''] ?? MALFORMED, headersIn(error.rawPacket)));
}

interface SocketError extends NodeJS.ErrnoException {
  /** The bytes that Node could not parse, perhaps not from the start of the request. */
  readonly rawPacket?: Buffer;
}

/** What decides which pages may read the refusal, if it is there. */
function headersIn(packet: Buffer | undefined): HttpHeaders {
  const text = packet?.toString('latin1') ?? '';
  return {
    host: /\r\nhost:([^\r\n]*)/i.exec(text)?.[1]?.trim(),
    origin: /\r\norigin:([^\r\n]*)/i.exec(text)?.[1]?.trim(),
  };
}

/** Responds to HTTP where HTTPS is expected, in plain HTTP: on the connection below, which Node keeps in this field. */
function refuseWithoutTls(socket: Duplex, wire: HttpWire): void {
  const { _parent: below } = socket as { _parent?: Duplex | null };
  if (!below?.writable) return void socket.destroy();
  below.once('close', () => socket.destroy());
  endSocket(below, wire.refuse(NO_TLS));
}

/** Responds to CONNECT. */
export function refuseProxying(socket: Duplex, wire: HttpWire): void {
  endSocket(socket, wire.refuse(NO_PROXY));
}

function endSocket(socket: Duplex, reply: HttpReply): void {
  const body = reply.body as string; // a refusal is never a stream
  const length = String(Buffer.byteLength(body));
  const lines = Object.entries({ ...reply.headers, connection: 'close', 'content-length': length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.on('error', () => {}); // the client may be gone, and Node no longer handles errors of this socket
  socket.end(`HTTP/1.1 ${statusLine(reply.status)}\r\n${head}\r\n${body}`, () => socket.destroy());
}

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

/** A connection for bytes that no client library would send. */
export interface Dialled {
  readonly socket: Socket;
  /** What the server has sent so far. */
  text(): string;
  /** Everything that it sends until the connection is closed. */
  rest(): Promise<string>;
}

/** Connects to a server, with TLS if its address says so. Errors of the connection are ignored. */
export function dial(url: string, allowHalfOpen = false): Dialled {
  const { protocol, hostname, port } = new URL(url);
  const options = { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port), allowHalfOpen };
  const socket =
    protocol === 'https:' ? connectTls({ ...options, rejectUnauthorized: false } as object) : connect(options);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => {});
  const rest = async () => {
    if (!socket.closed) await once(socket, 'close');
    return text;
  };
  return { socket, text: () => text, rest };
}

/** Sends bytes, or several packets of them. Returns what the server sends until it closes, or until `enough` matches. */
export async function raw(url: string, sent: string | readonly string[], enough?: RegExp): Promise<string> {
  const { socket, text, rest } = dial(url);
  socket.on('data', () => enough?.test(text()) && socket.end());
  for (const part of [sent].flat()) {
    if (!socket.destroyed) socket.write(part);
    if (typeof sent !== 'string') await sleep(10);
  }
  return rest();
}

/** The text of a request with exactly these header lines. */
export const requestText = (line: string, headers: readonly string[], body = '') =>
  `${line} HTTP/1.1\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n${body}`;

/** The text of a POST to this machine, with its length and perhaps more headers. */
export const postText = (path: string, body = '', ...more: readonly string[]) =>
  requestText(`POST ${path}`, ['Host: localhost', ...more, `Content-Length: ${Buffer.byteLength(body)}`], body);

export const statusOf = (reply: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(reply)?.[1]);

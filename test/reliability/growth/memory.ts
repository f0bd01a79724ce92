import { connect } from 'node:net';
import { readFileSync } from 'node:fs';
import type { Served } from '../../kit/served.ts';

/** Peak memory of a process in bytes; undefined if the system does not report it. */
export function mostMemoryOf(pid: number): number | undefined {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? undefined : Number(kib) * 1024;
  } catch {
    return undefined; // not on Linux
  }
}

/** Sends a body in chunks of one byte, and waits for the status line. */
export function sendByteByByte({ url }: Served, path: string, body: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
          'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n',
      );
      socket.write(`${Array.from(body, (byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`);
    });
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (answer += text));
    socket.once('error', reject);
    socket.once('close', () => resolve(answer));
  });
}

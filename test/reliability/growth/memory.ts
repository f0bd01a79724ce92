import { readFileSync } from 'node:fs';
import { raw, requestText } from '../../kit/raw.ts';
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
  const type = ['Host: localhost', 'Content-Type: application/json'];
  const chunks = Array.from(body, (byte) => `1\r\n${byte}\r\n`).join('');
  const headers = [...type, 'Transfer-Encoding: chunked', 'Connection: close'];
  return raw(url, requestText(`POST ${path}`, headers, `${chunks}0\r\n\r\n`));
}

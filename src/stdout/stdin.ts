import { readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { pauseBriefly } from './pause.ts';

/**
 * Keeps stdin for the protocol. From now on process.stdin is an ended stream, so that the app can neither take messages nor
 * end the server. Call this before user code is loaded.
 */
export function claimStdin(): Readable {
  const { stdin } = process;
  const { Readable: Stream } = process.getBuiltinModule('node:stream');
  const ended = Object.assign(Stream.from([]), { fd: STDIN });
  Object.defineProperty(process, 'stdin', { value: ended, configurable: true, enumerable: true });
  return stdin;
}

const STDIN = 0;

/**
 * Reads stdin synchronously into the bytes from `at`. Returns how many were read: 0 at its end. Retries on EAGAIN: another
 * process may have made the descriptor non-blocking.
 */
export function readStdin(bytes: Uint8Array, at: number): number {
  for (;;) {
    try {
      return readSync(STDIN, bytes, at, bytes.length - at, null);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      pauseBriefly();
    }
  }
}

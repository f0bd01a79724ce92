import { createWriteStream } from 'node:fs';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { Stdout } from './claim.ts';
import { statOf } from './descriptor.ts';

/** Claimed stdout as a stream, for wires that write for a long time and must not block on a slow reader. */
export function streamTo({ fd, write }: Stdout): Writable {
  if (fd === undefined)
    return new Writable({ write: (chunk: Buffer, _encoding, done) => write(chunk.toString(), () => done()) });
  const stats = statOf(fd);
  // A Socket takes neither files nor devices, such as a terminal or /dev/null.
  return stats.isFIFO() || stats.isSocket() ? new Socket({ fd, readable: false }) : createWriteStream('', { fd });
}

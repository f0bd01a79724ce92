import type { Upload } from '../wires/http/message.ts';
import { readSome, skip } from './cgi.ts';
import { DiskSpool } from './disk-spool.ts';

/** The body of a request on stdin, chunk by chunk. */
export function createCgiUpload(length: number): Upload {
  const spool = new DiskSpool();
  process.once('exit', () => spool.disposeSync());
  return { chunks: readChunks(length), spool };
}

/** What is not read is skipped: a web server that cannot deliver the whole body may stop before it reads our response. */
async function* readChunks(length: number): AsyncGenerator<Uint8Array, void> {
  let left = length;
  try {
    while (left > 0) {
      const chunk = Buffer.allocUnsafe(Math.min(left, 65_536));
      const count = readSome(chunk, 0);
      if (count === 0) return;
      left -= count;
      yield chunk.subarray(0, count);
    }
  } finally {
    skip(left);
  }
}

import type { Upload } from '../wires/http/message.ts';
import { skip } from './cgi.ts';
import type { ReadBody } from './cgi.ts';
import { DiskSpool } from './disk-spool.ts';

/** The body of a request, chunk by chunk. */
export function createCgiUpload(length: number, limit: number, read: ReadBody): Upload & { readonly spool: DiskSpool } {
  return { chunks: readChunks(length, limit, read), spool: new DiskSpool() };
}

/** What is not read is skipped: a web server that cannot deliver the whole body may stop before it reads our response. */
async function* readChunks(length: number, limit: number, read: ReadBody): AsyncGenerator<Uint8Array, void> {
  let left = length;
  try {
    while (left > 0) {
      const chunk = Buffer.allocUnsafe(Math.min(left, 65_536));
      const count = read(chunk, 0);
      if (count === 0 && length !== Infinity) throw new Error(`The body ends ${left} bytes too early`);
      if (count === 0) return;
      left -= count;
      yield chunk.subarray(0, count);
    }
  } finally {
    skip(left, limit, read);
  }
}

import { createHash } from 'node:crypto';
import { createApp, defineFunction } from 'everywire';
import { z } from 'zod';

/** Reads the file chunk by chunk: it may be larger than the memory. */
const fingerprint = defineFunction({
  name: 'Fingerprint',
  description: 'The size and the SHA-256 of a file',
  hints: { readOnly: true },
  input: z.object({
    file: z.file().describe('Any file'),
    short: z.boolean().default(false).describe('Only the first 12 digits'),
  }),
  output: z.object({ name: z.string(), size: z.int(), sha256: z.string() }).describe('What the file is'),
  async run({ file, short }) {
    const hash = createHash('sha256');
    for await (const chunk of file.stream()) hash.update(chunk);
    const sha256 = hash.digest('hex');
    return { name: file.name, size: file.size, sha256: short ? sha256.slice(0, 12) : sha256 };
  },
});

/** Returns a file that is produced while it is sent. */
const squares = defineFunction({
  name: 'Squares',
  description: 'A table of square numbers',
  hints: { readOnly: true },
  http: { method: 'GET', path: '/squares.csv' },
  input: z.object({ to: z.int().min(1).max(10_000).default(3).describe('The last number') }),
  output: z.file().describe('The table, as CSV'),
  run: ({ to }) => ({ name: 'squares.csv', type: 'text/csv', stream: rows(to) }),
});

async function* rows(to: number): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder();
  yield utf8.encode('number,square\n');
  for (let n = 1; n <= to; n++) yield utf8.encode(`${n},${n * n}\n`);
}

export default createApp({
  name: 'Files',
  version: '1.0.0',
  description: 'Files in and out',
  functions: [fingerprint, squares],
  limits: { file: 256 * 1024 * 1024 },
});

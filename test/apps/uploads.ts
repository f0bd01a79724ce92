import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createApp, forms } from 'everywire';
import { z } from 'zod';
import { fn, integer, object, string } from '../kit/functions.ts';

const MEGABYTE = 1024 * 1024;

const file = { ...forms.file, description: 'The file' };
const text = z.string().describe('A string');

/** What a file is. */
const facts = z.object({
  name: z.string(),
  type: z.string(),
  size: z.int(),
  sha256: z.string(),
  note: z.string().optional(),
  times: z.int().optional(),
});
const hash = fn(
  'Hash',
  { input: object({ file, note: string, times: integer }, ['file']), output: facts.describe('What the file is') },
  async (input) => {
    const sha256 = createHash('sha256');
    for await (const chunk of input.file.stream()) sha256.update(chunk);
    const { name, type, size } = input.file;
    return { name, type, size, sha256: sha256.digest('hex'), note: input.note, times: input.times };
  },
);

const several = z.object({
  files: z.array(z.file()).describe('The files'),
  cover: z.file().max(1000).mime('image/png').optional().describe('A picture'),
  meta: z.object({ thumbnail: z.file().optional() }).optional().describe('More'),
});
const names = fn(
  'Names',
  { input: several, output: z.array(z.string()).describe('Their names') },
  ({ files, cover, meta }: z.infer<typeof several>) =>
    [...files, cover, meta?.thumbnail].flatMap((one) => (one ? [one.name] : [])),
);

const one = z.file().describe('The file');
const echo = fn('Echo', { input: z.object({ file: one }), output: one }, (input) => input.file);

const zeros = fn(
  'Zeros',
  {
    hints: { readOnly: true },
    http: { method: 'GET' },
    input: z.object({
      size: z.int().default(10).describe('How many'),
      failAfter: z.int().optional().describe('After how many bytes the stream breaks'),
      name: z.string().default('zeros.bin').describe('The name'),
      type: z.string().default('application/x-zeros').describe('The type'),
    }),
    output: file,
  },
  ({ size, failAfter = Infinity, name, type }) => ({ name, type, stream: zerosOf(size, failAfter) }),
);

const watched = { returned: 0 };

async function* zerosOf(size: number, failAfter: number): AsyncGenerator<Uint8Array> {
  try {
    for (let sent = 0; sent < size;) {
      const length = Math.min(65_536, size - sent);
      if (sent + length > failAfter) throw new Error('the source broke');
      yield new Uint8Array(length);
      sent += length;
    }
  } finally {
    watched.returned++;
  }
}

/** How often a stream of zeros has ended. */
const returned = fn('Returned', { output: integer }, () => watched.returned);

const inside = fn(
  'Inside',
  {
    input: z.object({ size: z.int().default(3).describe('Bytes') }),
    output: z.object({ title: z.string(), file: z.file() }).describe('A title and a file'),
  },
  ({ size }) => ({ title: 'abc', file: new File([new Uint8Array(size).fill(97)], 'a.txt', { type: 'text/plain' }) }),
);

/** Returns a string as a file of any kind. */
const textFile = fn(
  'Text',
  {
    input: z.object({
      text,
      name: z.string().default('text.txt').describe('The name'),
      type: z.string().default('text/plain').describe('The type'),
      as: z.enum(['file', 'blob', 'bytes', 'stream', 'node', 'nothing']).default('file').describe('What is returned'),
    }),
    output: file,
  },
  (input) => {
    const { name, type, as } = input;
    const bytes = new TextEncoder().encode(input.text);
    if (as === 'blob') return new Blob([bytes], { type });
    if (as === 'bytes') return bytes;
    if (as === 'stream') return { name, type, stream: new Blob([bytes]).stream() };
    if (as === 'node') return { name, type, stream: Readable.from([bytes]) };
    if (as === 'nothing') return 'no file';
    return new File([bytes], name, { type });
  },
);

/** What files can do, on every wire. */
export default createApp({
  name: 'Uploads',
  version: '1.0.0',
  functions: [hash, names, echo, zeros, returned, inside, textFile],
  limits: { file: 256 * MEGABYTE, timeout: 60_000 },
});

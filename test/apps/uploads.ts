import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createApp, defineFunction, forms } from 'everywire';
import { z } from 'zod';

const MEGABYTE = 1024 * 1024;

const hash = defineFunction({
  name: 'Hash',
  description: 'The name, type, size and SHA-256 of a file',
  input: {
    type: 'object',
    properties: {
      file: { ...forms.file, description: 'The file' },
      note: { type: 'string', description: 'A note' },
      times: { type: 'integer', description: 'A number' },
    },
    required: ['file'],
  },
  output: z
    .object({
      name: z.string(),
      type: z.string(),
      size: z.int(),
      sha256: z.string(),
      note: z.string().optional(),
      times: z.int().optional(),
    })
    .describe('What the file is'),
  async run({ file, note, times }) {
    const sha256 = createHash('sha256');
    for await (const chunk of file.stream()) sha256.update(chunk);
    const { name, type, size } = file;
    return { name, type, size, sha256: sha256.digest('hex'), note, times };
  },
});

const names = defineFunction({
  name: 'Names',
  description: 'The names of several files',
  input: z.object({
    files: z.array(z.file()).describe('The files'),
    cover: z.file().max(1000).mime('image/png').optional().describe('A picture'),
    meta: z.object({ thumbnail: z.file().optional() }).optional().describe('More'),
  }),
  output: z.array(z.string()).describe('Their names'),
  run: ({ files, cover, meta }) => [...files, cover, meta?.thumbnail].flatMap((file) => (file ? [file.name] : [])),
});

const echo = defineFunction({
  name: 'Echo',
  description: 'Returns a file as it came',
  input: z.object({ file: z.file().describe('The file') }),
  output: z.file().describe('The same file'),
  run: ({ file }) => file,
});

const zeros = defineFunction({
  name: 'Zeros',
  description: 'A file of zeros',
  hints: { readOnly: true },
  http: { method: 'GET' },
  input: z.object({
    size: z.int().default(10).describe('How many'),
    failAfter: z.int().optional().describe('After how many bytes the stream breaks'),
    name: z.string().default('zeros.bin').describe('The name'),
    type: z.string().default('application/x-zeros').describe('The type'),
  }),
  output: { ...forms.file, description: 'The zeros' },
  run: ({ size, failAfter = Infinity, name, type }) => ({ name, type, stream: zerosOf(size, failAfter) }),
});

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

const returned = defineFunction({
  name: 'Returned',
  description: 'How often a stream of zeros has ended',
  output: z.int().describe('How often'),
  run: () => watched.returned,
});

const inside = defineFunction({
  name: 'Inside',
  description: 'A file inside a result',
  input: z.object({ size: z.int().default(3).describe('Bytes') }),
  output: z.object({ title: z.string(), file: z.file() }).describe('A title and a file'),
  run: ({ size }) => ({
    title: 'abc',
    file: new File([new Uint8Array(size).fill(97)], 'a.txt', { type: 'text/plain' }),
  }),
});

const textFile = defineFunction({
  name: 'Text',
  description: 'Returns a string as a file of any kind',
  input: z.object({
    text: z.string().describe('The text'),
    name: z.string().default('text.txt').describe('The name'),
    type: z.string().default('text/plain').describe('The type'),
    as: z.enum(['file', 'blob', 'bytes', 'stream', 'node', 'nothing']).default('file').describe('What is returned'),
  }),
  output: { ...forms.file, description: 'The file' },
  run({ text, name, type, as }) {
    const bytes = new TextEncoder().encode(text);
    if (as === 'blob') return new Blob([bytes], { type });
    if (as === 'bytes') return bytes;
    if (as === 'stream') return { name, type, stream: new Blob([bytes]).stream() };
    if (as === 'node') return { name, type, stream: Readable.from([bytes]) };
    if (as === 'nothing') return 'no file' as never;
    return new File([bytes], name, { type });
  },
});

/** What files can do, on every wire. */
export default createApp({
  name: 'Uploads',
  version: '1.0.0',
  functions: [hash, names, echo, zeros, returned, inside, textFile],
  limits: { file: 256 * MEGABYTE, timeout: 60_000 },
});

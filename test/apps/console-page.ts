import { createApp, defineFunction, defineResource } from 'everywire';
import { z } from 'zod';

const code = z.object({ code: z.string().min(5).describe('The code') });

const askNow = defineFunction({
  name: 'AskNow',
  description: 'Asks for a code',
  output: z.string(),
  run: async (_, context) => (await context.ask(code, 'Which code?')).code,
});

const askLater = defineFunction({
  name: 'AskLater',
  description: 'Asks for a code, as a task',
  task: 'always',
  output: z.string(),
  run: async (_, context) => (await context.ask(code, 'Which code?')).code,
});

const endless = defineFunction({
  name: 'Endless',
  description: 'Runs until it is cancelled',
  task: 'always',
  run: (_, { progress, signal }) => {
    progress(1, 2);
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  },
});

const chunks = defineFunction({
  name: 'Chunks',
  description: 'Yields long strings',
  input: z.object({ count: z.int(), size: z.int() }),
  yields: z.string(),
  output: z.int(),
  async *run({ count, size }) {
    for (let i = 1; i <= count; i++) yield `${i} ${'x'.repeat(size)}`;
    return count;
  },
});

const upload = defineFunction({
  name: 'Upload',
  description: 'Takes a file',
  input: z.object({
    file: z.file().describe('The file'),
    note: z.string().describe('Anything'),
    tags: z.array(z.string()).optional().describe('Words'),
    place: z.object({ row: z.int() }).optional().describe('Where'),
  }),
  output: z.object({
    name: z.string(),
    type: z.string(),
    size: z.int(),
    note: z.string(),
    tags: z.array(z.string()).optional(),
    row: z.int().optional(),
  }),
  run: ({ file, note, tags, place }) => ({
    name: file.name,
    type: file.type,
    size: file.size,
    note,
    ...(tags && { tags }),
    ...(place && { row: place.row }),
  }),
});

const measure = defineFunction({
  name: 'Measure',
  description: 'How long a text is, and what the functions may use of the machine',
  input: z.object({ text: z.string() }),
  output: z.object({ length: z.int(), variables: z.record(z.string(), z.string()), files: z.array(z.string()) }),
  run: async ({ text }, { env, files }) => ({
    length: text.length,
    variables: env.list(),
    files: (await files.list('/').catch(() => [])).map(({ name }) => name),
  }),
});

const note = defineResource({
  uri: 'notes://zürich→',
  name: 'note',
  description: 'A resource whose address is not ASCII',
  read: () => 'By the lake',
});

export default createApp({
  name: 'Page',
  version: '1.0.0',
  functions: [askNow, askLater, endless, chunks, upload, measure],
  resources: [note],
  log: { debug() {}, info() {}, warn() {}, error() {} },
});

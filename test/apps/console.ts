import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp, defineFunction, defineResource, Failure, forms } from 'everywire';
import { z } from 'zod';

const echo = defineFunction({
  name: 'Echo',
  description: 'Returns its arguments',
  input: z.object({ text: z.string(), list: z.array(z.number().nullable()), flag: z.boolean() }),
  output: z.object({ text: z.string(), list: z.array(z.number().nullable()), flag: z.boolean() }),
  run: (input) => input,
});

const fail = defineFunction({
  name: 'Fail',
  description: 'Fails with a code',
  input: z.object({ code: z.enum(['NOT_READY', 'GONE']) }),
  errors: { NOT_READY: { description: 'It is too early.', status: 409 } },
  run: ({ code }) => new Failure(code as 'GONE', `It is ${code}`),
});

const random = defineFunction({
  name: 'Random',
  deprecated: true,
  description: 'Another number each time',
  output: z.number(),
  run: () => Math.random(),
});

const login = defineFunction({
  name: 'Login',
  description: 'Takes a secret',
  input: z.object({ password: z.string().meta({ format: 'password' }) }),
  run: () => {},
});

const countTo = defineFunction({
  name: 'Count',
  description: 'Counts, and yields on the way',
  input: z.object({ to: z.int() }),
  yields: z.int(),
  output: z.int(),
  async *run({ to }) {
    for (let i = 1; i <= to; i++) yield i;
    return to;
  },
});

const wait = defineFunction({
  name: 'Wait',
  description: 'Reports progress, and waits until it is cancelled',
  run: (_, { progress, signal }) => {
    progress(1, 2, 'half');
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  },
});

const ask = defineFunction({
  name: 'Ask',
  description: 'Asks for a name',
  output: z.string(),
  run: async (_, context) => {
    const { name } = await context.ask(z.object({ name: z.string().describe('A name') }), 'Your name?');
    return `Hello, ${name}`;
  },
});

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>';

const hostile = defineFunction({
  name: 'Hostile',
  title: HOSTILE,
  description: `${HOSTILE} [click](javascript:alert(3)) "onload=alert(4)`,
  tags: [HOSTILE],
  input: z.object({ [HOSTILE]: z.string().optional().describe(HOSTILE) }),
  output: z.string().describe(HOSTILE),
  errors: { BAD: { description: HOSTILE } },
  examples: [{ title: HOSTILE, input: {} }],
  run: () => HOSTILE,
});

const links = defineFunction({
  name: 'Links',
  description: 'Content of every kind',
  output: forms.content,
  run: () =>
    [
      { type: 'text', text: HOSTILE },
      { type: 'image', mimeType: 'image/png', data: PIXEL },
      {
        type: 'image',
        mimeType: 'image/svg+xml',
        data: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(5)"/>`).toString('base64'),
      },
      { type: 'resource_link', uri: 'javascript:alert(6)', name: HOSTILE },
      { type: 'resource_link', uri: 'https://example.com/', name: 'A link' },
    ] as never,
});

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const large = defineFunction({
  name: 'Large',
  description: 'Five mebibytes',
  output: z.array(z.string()),
  run: () => Array.from({ length: 5120 }, () => 'x'.repeat(1021)),
});

const report = defineFunction({
  name: 'Report',
  description: 'Returns a file',
  input: z.object({ fails: z.boolean() }),
  output: forms.file,
  errors: { NONE: { description: 'There is none.' } },
  run: ({ fails }) => (fails ? new Failure('NONE', 'No report') : new File(['hello'], 'a.txt', { type: 'text/plain' })),
});

const long = defineFunction({
  name: 'Long',
  description: 'More than the server sends to the page',
  output: z.string(),
  run: () => 'x'.repeat(100_000),
});

const big = defineFunction({
  name: 'Big',
  description: 'Takes a number',
  input: z.object({ n: z.number() }),
  output: z.number(),
  run: ({ n }) => n,
});

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

/** Notes its process, and one that it starts, in a folder. */
const hang = defineFunction({
  name: 'Hang',
  description: 'Never answers',
  run: () => {
    const started = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit'] });
    for (const pid of [process.pid, started.pid]) writeFileSync(join(process.env['HANG_FOLDER']!, String(pid)), '');
    return new Promise<void>(() => {});
  },
});

export default createApp({
  name: 'Console',
  version: '1.0.0',
  description: HOSTILE,
  functions: [
    echo,
    fail,
    random,
    login,
    countTo,
    wait,
    ask,
    hostile,
    links,
    large,
    report,
    long,
    big,
    askNow,
    askLater,
    endless,
    chunks,
    upload,
    measure,
    hang,
  ],
  resources: [note],
  log: { debug() {}, info() {}, warn() {}, error() {} },
});

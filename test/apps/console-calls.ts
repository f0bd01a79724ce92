import { Buffer } from 'node:buffer';
import { createApp, defineFunction, Failure, forms } from 'everywire';
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

const count = defineFunction({
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

export default createApp({
  name: 'Calls',
  version: '1.0.0',
  description: HOSTILE,
  functions: [echo, fail, random, login, count, wait, ask, hostile, links, large],
  log: { debug() {}, info() {}, warn() {}, error() {} },
});

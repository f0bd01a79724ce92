import { createApp, defineFunction, Failure, forms } from 'everywire';
import { z } from 'zod';

const report = defineFunction({
  name: 'Report',
  description: 'Returns a file',
  input: z.object({ fails: z.boolean() }),
  output: forms.file,
  errors: { NONE: { description: 'There is none.' } },
  run: ({ fails }) => (fails ? new Failure('NONE', 'No report') : new File(['hello'], 'a.txt', { type: 'text/plain' })),
});

const ask = defineFunction({
  name: 'Ask',
  description: 'Asks for a name',
  output: z.string(),
  run: async (_, context) => (await context.ask(z.object({ name: z.string().describe('A name') }), 'Your name?')).name,
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

export default createApp({
  name: 'Compare',
  version: '1.0.0',
  functions: [report, ask, long, big],
  log: { debug() {}, info() {}, warn() {}, error() {} },
});

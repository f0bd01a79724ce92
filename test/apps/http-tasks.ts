import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, createApp, defineFunction } from 'everywire';
import { z } from 'zod';

// Functions whose calls become tasks, and what can go wrong with them.

const wait = defineFunction({
  name: 'Wait',
  description: 'Reports progress, and waits',
  task: 'allowed',
  input: z.object({
    seconds: z.number().default(0).describe('How long'),
    steps: z.int().default(1).describe('How many reports'),
    log: z.string().optional().describe('A file that is told how it ends'),
  }),
  output: z.object({ waited: z.number(), inTask: z.boolean() }).describe('What happened'),
  async run({ seconds, steps, log }, { progress, signal, task }) {
    const tell = (line: string) => log && appendFileSync(log, `${line}\n`);
    tell('started');
    signal.addEventListener('abort', () => tell('aborted'));
    for (let step = 1; step <= steps; step++) {
      await pause((seconds * 1000) / steps, undefined, { signal });
      progress(step, steps, `step ${step}`);
    }
    tell('done');
    return { waited: seconds, inTask: task !== undefined };
  },
});

const always = defineFunction({
  name: 'Always',
  description: 'Always becomes a task',
  task: 'always',
  input: z.object({ word: z.string().describe('A word') }),
  output: z.string().describe('The same word'),
  run: ({ word }) => word,
});

const confirm = defineFunction({
  name: 'Confirm',
  description: 'Asks twice before it does anything',
  task: 'always',
  input: z.object({}),
  output: z.array(z.string()).describe('The answers'),
  async run(_input, { ask }) {
    const first = await ask(z.object({ name: z.string().describe('A name') }), 'Your name?');
    const second = await ask(z.object({ sure: z.boolean().describe('Yes or no') }), `Sure, ${first.name}?`);
    return [first.name, String(second.sure)];
  },
});

const echo = defineFunction({
  name: 'Echo',
  description: 'Returns anything, or fails',
  task: 'allowed',
  errors: { TOO_ODD: { description: 'Too odd', status: 418, retry: true } },
  input: z.object({
    value: z.json().describe('Anything'),
    fails: z.enum(['no', 'declared', 'known', 'thrown']).default('no').describe('How'),
  }),
  output: z.json().describe('The same'),
  run({ value, fails }) {
    if (fails === 'declared') throw new Failure('TOO_ODD', 'That is too odd', { details: { value }, retryAfter: 7 });
    if (fails === 'known') throw new Failure('NOT_FOUND', 'There is no such thing');
    if (fails === 'thrown') throw new Error('unexpected');
    return value;
  },
});

const nothing = defineFunction({ name: 'Nothing', description: 'Returns nothing', task: 'allowed', run: () => {} });

const several = defineFunction({
  name: 'Several',
  description: 'Returns two values',
  task: 'allowed',
  input: z.object({ x: z.number().describe('A number') }),
  outputs: [z.number().describe('The number'), z.string().describe('As text')],
  run: ({ x }) => [x, String(x)] as [number, string],
});

const download = defineFunction({
  name: 'Download',
  description: 'Returns a file',
  task: 'allowed',
  input: z.object({ text: z.string().describe('What is in it') }),
  output: z.file().describe('The file'),
  run: ({ text }) => new File([text], 'übersicht.txt', { type: 'text/plain' }),
});

const upload = defineFunction({
  name: 'Upload',
  description: 'Counts the bytes of a file',
  task: 'allowed',
  input: z.object({ file: z.file().describe('A file') }),
  output: z.object({ name: z.string(), size: z.int() }).describe('The file'),
  run: ({ file: { name, size } }) => ({ name, size }),
});

const count = defineFunction({
  name: 'Count',
  description: 'Yields numbers',
  task: 'allowed',
  hints: { readOnly: true },
  http: { method: 'GET', path: '/count/{to}' },
  input: z.object({ to: z.int().describe('The last number') }),
  yields: z.int().describe('A number'),
  output: z.int().describe('The last number'),
  async *run({ to }) {
    for (let i = 1; i <= to; i++) yield i;
    return to;
  },
});

const large = defineFunction({
  name: 'Large',
  description: 'Returns a long string',
  task: 'allowed',
  input: z.object({ bytes: z.int().describe('How long') }),
  output: z.string().describe('The string'),
  run: ({ bytes }) => 'x'.repeat(bytes),
});

const plain = defineFunction({
  name: 'Plain',
  description: 'Never becomes a task',
  input: z.object({ x: z.number().describe('A number') }),
  output: z.number().describe('The same number'),
  run: ({ x }) => x,
});

const functions = [wait, always, confirm, echo, nothing, several, download, upload, count, large, plain] as const;

/** The same time in every envelope, so that bodies can be compared. */
const clock = () => new Date('2026-01-01T00:00:00Z');

export default createApp({
  name: 'Tasks',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  functions,
  clock,
  limits: { result: 100_000 },
});

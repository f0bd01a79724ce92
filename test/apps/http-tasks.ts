import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, createApp } from 'everywire';
import { z } from 'zod';
import { fn } from '../kit/functions.ts';

const allowed = { task: 'allowed' } as const;
const x = z.number().describe('A number');
const text = z.string().describe('A string');
const int = z.int().describe('An integer');

/** Reports progress, and waits; a file is told how it ends. */
const wait = fn(
  'Wait',
  {
    ...allowed,
    input: z.object({
      seconds: z.number().default(0).describe('How long'),
      steps: z.int().default(1).describe('How many reports'),
      log: z.string().optional().describe('A file'),
    }),
    output: z.object({ waited: z.number(), inTask: z.boolean() }).describe('What happened'),
  },
  async ({ seconds, steps, log }, { progress, signal, task }) => {
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
);

const confirm = fn(
  'Confirm',
  { task: 'always', output: z.array(z.string()).describe('The answers') },
  async (_, { ask }) => {
    const { name } = await ask(z.object({ name: text }), 'Your name?');
    const { sure } = await ask(z.object({ sure: z.boolean() }), `Sure, ${name}?`);
    return [name, String(sure)];
  },
);

/** Returns anything, or fails. */
const echo = fn(
  'Echo',
  {
    ...allowed,
    errors: { TOO_ODD: { description: 'Too odd', status: 418, retry: true } },
    input: z.object({
      value: z.json().describe('Anything'),
      fails: z.enum(['no', 'declared', 'known', 'thrown']).default('no').describe('How'),
    }),
    output: z.json().describe('The same'),
  },
  ({ value, fails }) => {
    if (fails === 'declared') throw new Failure('TOO_ODD', 'That is too odd', { details: { value }, retryAfter: 7 });
    if (fails === 'known') throw new Failure('NOT_FOUND', 'There is no such thing');
    if (fails === 'thrown') throw new Error('unexpected');
    return value;
  },
);

const download = fn(
  'Download',
  { ...allowed, input: z.object({ text }), output: z.file().describe('The file') },
  (input) => new File([input.text], 'übersicht.txt', { type: 'text/plain' }),
);

const upload = fn(
  'Upload',
  {
    ...allowed,
    input: z.object({ file: z.file().describe('A file') }),
    output: z.object({ name: z.string(), size: z.int() }).describe('The file'),
  },
  ({ file: { name, size } }) => ({ name, size }),
);

const read = { hints: { readOnly: true }, http: { method: 'GET', path: '/count/{to}' } } as const;
const count = fn(
  'Count',
  { ...allowed, ...read, input: z.object({ to: int }), yields: int, output: int },
  async function* ({ to }) {
    for (let i = 1; i <= to; i++) yield i;
    return to;
  },
);

/** Functions whose calls become tasks, and what can go wrong with them. */
export default createApp({
  name: 'Tasks',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  functions: [
    wait,
    fn('Always', { task: 'always', input: z.object({ word: text }), output: text }, ({ word }) => word),
    confirm,
    echo,
    fn('Nothing', allowed, () => {}),
    fn('Several', { ...allowed, input: z.object({ x }), outputs: [x, text] }, (input) => [input.x, String(input.x)]),
    download,
    upload,
    count,
    fn('Large', { ...allowed, input: z.object({ bytes: int }), output: text }, ({ bytes }) => 'x'.repeat(bytes)),
    fn('Plain', { input: z.object({ x }), output: x }, (input) => input.x),
  ],
  // The same time in every envelope, so that bodies can be compared.
  clock: () => new Date('2026-01-01T00:00:00Z'),
  limits: { result: 100_000 },
});

import { setTimeout } from 'node:timers/promises';
import { createApp, defineFunction, Failure, forms } from 'everywire';
import { z } from 'zod';

/** Functions that are tasks always, sometimes and never. */
const report = defineFunction({
  name: 'Report',
  description: 'Writes a report',
  task: 'always',
  input: z.object({
    rows: z.int().min(0).max(1000).default(3).describe('How many rows'),
    every: z.int().min(0).max(10_000).default(0).describe('Milliseconds for each row'),
  }),
  output: z
    .object({
      rows: z.int().describe('How many rows'),
      written: z.iso.datetime().describe('When'),
    })
    .describe('What was written'),
  async run({ rows, every }, { progress, signal }) {
    for (let row = 1; row <= rows; row++) {
      progress(row, rows, `row ${row}`);
      if (every > 0) await setTimeout(every, undefined, { signal });
    }
    return { rows, written: '2026-01-02T03:04:05.000Z' };
  },
});

const divide = defineFunction({
  name: 'Divide',
  description: 'Divides slowly',
  task: 'allowed',
  input: z.object({ x: z.number().describe('Of what'), y: z.number().describe('By what') }),
  output: z.number().describe('The quotient'),
  errors: { DIVISION_BY_ZERO: { description: 'y is zero' } },
  run({ x, y }) {
    if (y === 0) throw new Failure('DIVISION_BY_ZERO', 'Division by zero');
    return x / y;
  },
});

const remove = defineFunction({
  name: 'Remove',
  description: 'Removes something, if the user is sure',
  task: 'allowed',
  input: z.object({ what: z.string().describe('What to remove') }),
  output: z.string().describe('What was done'),
  async run({ what }, { ask }) {
    const { sure } = await ask(z.object({ sure: z.boolean().describe('Really?') }), `Remove ${what}?`);
    return sure ? `Removed ${what}` : `Kept ${what}`;
  },
});

const print = defineFunction({
  name: 'Print',
  description: 'Prints a file',
  task: 'allowed',
  input: z.object({ text: z.string().describe('What is in it') }),
  output: z.file().describe('The file'),
  run: ({ text }) => new File([text], 'printed.txt', { type: 'text/plain' }),
});

const confirm = defineFunction({
  name: 'Confirm',
  description: 'Asks, and is always a task',
  task: 'always',
  input: z.object({}),
  output: z.boolean().describe('What was answered'),
  run: async (_, { ask }) => (await ask(z.object({ sure: z.boolean().describe('Really?') }), 'Sure?')).sure,
});

const when = defineFunction({
  name: 'When',
  description: 'Returns a date, and is always a task',
  task: 'always',
  input: z.object({}),
  output: { ...forms.date, description: 'A date' },
  run: () => new Date('2026-01-02T03:04:05.000Z'),
});

const inWhich = defineFunction({
  name: 'Process',
  description: 'Says which process runs it',
  task: 'always',
  input: z.object({}),
  output: z.int().describe('Its id'),
  run: () => process.pid,
});

const now = defineFunction({
  name: 'Now',
  description: 'Answers at once',
  input: z.object({}),
  output: z.string().describe('A greeting'),
  run: () => 'hello',
});

export const app = createApp({
  name: 'tasks',
  version: '1.0.0',
  functions: [report, divide, remove, print, confirm, when, inWhich, now],
});

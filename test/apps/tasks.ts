import { setTimeout } from 'node:timers/promises';
import { createApp, Failure, forms } from 'everywire';
import { z } from 'zod';
import { fn } from '../kit/functions.ts';

const [always, allowed] = [{ task: 'always' }, { task: 'allowed' }] as const;
const WRITTEN = '2026-01-02T03:04:05.000Z';
const sure = z.object({ sure: z.boolean().describe('Really?') });
const number = z.number().describe('A number');
const text = z.string().describe('A string');

const report = fn(
  'Report',
  {
    ...always,
    input: z.object({
      rows: z.int().min(0).max(1000).default(3).describe('How many rows'),
      every: z.int().min(0).max(10_000).default(0).describe('Milliseconds for each row'),
    }),
    output: z.object({ rows: z.int(), written: z.iso.datetime() }).describe('What was written'),
  },
  async ({ rows, every }, { progress, signal }) => {
    for (let row = 1; row <= rows; row++) {
      progress(row, rows, `row ${row}`);
      if (every > 0) await setTimeout(every, undefined, { signal });
    }
    return { rows, written: WRITTEN };
  },
);

const divide = fn(
  'Divide',
  {
    ...allowed,
    input: z.object({ x: number, y: number }),
    output: number,
    errors: { DIVISION_BY_ZERO: { description: 'y is zero' } },
  },
  ({ x, y }) => {
    if (y === 0) throw new Failure('DIVISION_BY_ZERO', 'Division by zero');
    return x / y;
  },
);

const remove = fn('Remove', { ...allowed, input: z.object({ what: text }), output: text }, async ({ what }, { ask }) =>
  (await ask(sure, `Remove ${what}?`)).sure ? `Removed ${what}` : `Kept ${what}`,
);

const print = fn(
  'Print',
  { ...allowed, input: z.object({ text }), output: z.file().describe('The file') },
  (input) => new File([input.text], 'printed.txt', { type: 'text/plain' }),
);

/** Functions that are tasks always, sometimes and never. */
export const app = createApp({
  name: 'tasks',
  version: '1.0.0',
  functions: [
    report,
    divide,
    remove,
    print,
    fn('Confirm', { ...always, output: z.boolean().describe('What was answered') }, async (_, { ask }) => {
      return (await ask(sure, 'Sure?')).sure;
    }),
    fn('When', { ...always, output: { ...forms.date, description: 'A date' } }, () => new Date(WRITTEN)),
    fn('Process', { ...always, output: z.int().describe('Its id') }, () => process.pid),
    fn('Now', { output: text }, () => 'hello'),
  ],
});

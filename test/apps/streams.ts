import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createApp, Failure } from 'everywire';
import { z } from 'zod';
import { fn } from '../kit/functions.ts';

const input = z.object({ to: z.int().describe('The last number') });
const numbers = { yields: z.int().describe('The next number'), output: z.int().describe('The sum') };
const read = { hints: { readOnly: true }, http: { method: 'GET' } } as const;
const text = z.string().describe('A string');
const int = z.int().describe('An integer');
const LOST = { description: 'It has lost count.', status: 409 };

async function* count(last: number): AsyncGenerator<number, number> {
  let sum = 0;
  for (let i = 1; i <= last; i++) {
    sum += i;
    yield i;
  }
  return sum;
}

export default createApp({
  name: 'Streams',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  limits: { timeout: 60_000 },
  functions: [
    fn('Count', { ...numbers, ...read, input }, ({ to }) => count(to)),
    fn('CountAtOnce', { ...read, input, output: numbers.output }, ({ to }) => (to * (to + 1)) / 2),
    // The last chunk is the answer.
    fn('Words', { yields: z.string().describe('The words so far'), output: text }, async function* () {
      yield 'Grüße';
      yield 'Grüße,\nWelt';
    }),
    fn('CountThenFail', { ...numbers, input, errors: { LOST } }, async function* ({ to }) {
      yield* count(to);
      throw new Failure('LOST', `Lost count after ${to}`, { retryAfter: 2 });
    }),
    fn('CountThenLie', numbers, async function* () {
      yield 1;
      yield 'two';
      return 3;
    }),
    // Counts until the caller leaves, and then writes the time to a file.
    fn('Endless', { ...numbers, input: z.object({ file: text }), timeout: 0 }, async function* ({ file }) {
      try {
        for (let i = 1; ; i++) {
          yield i;
          await setTimeout(5);
        }
      } finally {
        writeFileSync(file, String(Date.now()));
      }
    }),
    // Yields many long strings, writes how far it is, and returns by how many kilobytes the process has grown meanwhile.
    fn(
      'Much',
      { input: z.object({ chunks: int, size: int, file: text }), yields: text, output: int },
      async function* ({ chunks, size, file }) {
        const before = process.memoryUsage().rss / 1024;
        let most = before;
        for (let i = 1; i <= chunks; i++) {
          yield String(i).padEnd(size, 'x');
          if (i % 50 !== 0) continue;
          writeFileSync(file, String(i));
          most = Math.max(most, process.memoryUsage().rss / 1024);
        }
        return Math.round(most - before);
      },
    ),
    fn('Steps', { output: text }, async function* (_, { progress }) {
      yield 'a';
      progress(2, 3, 'two');
      yield 'b';
      progress(3, 3);
      return 'end';
    }),
  ],
});

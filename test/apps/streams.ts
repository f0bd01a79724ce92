import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createApp, defineFunction, Failure } from 'everywire';
import { z } from 'zod';

const to = z.int().describe('The last number');
const numbers = { yields: z.int().describe('The next number'), output: z.int().describe('The sum') };
const read = { hints: { readOnly: true }, http: { method: 'GET' } } as const;

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
    defineFunction({
      ...numbers,
      ...read,
      name: 'Count',
      description: 'Counts',
      input: z.object({ to }),
      run: (input) => count(input.to),
    }),
    defineFunction({
      ...read,
      name: 'CountAtOnce',
      description: 'The same without streaming',
      input: z.object({ to }),
      output: numbers.output,
      run: (input) => (input.to * (input.to + 1)) / 2,
    }),
    defineFunction({
      name: 'Words',
      description: 'The last chunk is the answer',
      yields: z.string().describe('The words so far'),
      output: z.string().describe('All words'),
      async *run() {
        yield 'Grüße';
        yield 'Grüße,\nWelt';
      },
    }),
    defineFunction({
      name: 'CountThenFail',
      description: 'Counts, and fails',
      input: z.object({ to }),
      yields: numbers.yields,
      output: numbers.output,
      errors: { LOST: { description: 'It has lost count.', status: 409 } },
      async *run(input) {
        yield* count(input.to);
        throw new Failure('LOST', `Lost count after ${input.to}`, { retryAfter: 2 });
      },
    }),
    defineFunction({
      name: 'CountThenLie',
      description: 'Counts, and yields something else',
      yields: numbers.yields,
      output: numbers.output,
      // A lie: the types would not allow it.
      async *run() {
        yield 1;
        yield 'two' as never;
        return 3;
      },
    }),
    defineFunction({
      name: 'Endless',
      description: 'Counts until the caller leaves, and then writes the time to a file',
      input: z.object({ file: z.string().describe('The file') }),
      yields: numbers.yields,
      output: numbers.output,
      timeout: 0,
      async *run({ file }) {
        try {
          for (let i = 1; ; i++) {
            yield i;
            await setTimeout(5);
          }
        } finally {
          writeFileSync(file, String(Date.now()));
        }
      },
    }),
    defineFunction({
      name: 'Much',
      description: 'Yields many long strings, and returns by how many kilobytes the process has grown meanwhile',
      input: z.object({
        chunks: z.int().describe('How many'),
        size: z.int().describe('How long they are'),
        file: z.string().describe('Where it writes how far it is'),
      }),
      yields: z.string().describe('A number, and filling'),
      output: z.int().describe('Kilobytes'),
      async *run({ chunks, size, file }) {
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
    }),
    defineFunction({
      name: 'Steps',
      description: 'Reports progress, and yields in between',
      output: z.string().describe('The end'),
      async *run(_input, { progress }) {
        yield 'a';
        progress(2, 3, 'two');
        yield 'b';
        progress(3, 3);
        return 'end';
      },
    }),
  ],
});

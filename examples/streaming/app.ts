import { setTimeout } from 'node:timers/promises';
import { createApp, defineFunction, Failure } from 'everywire';
import { z } from 'zod';

/** What is yielded is sent as it comes. What is returned is the answer. */
const count = defineFunction({
  name: 'Count',
  description: 'Counts to a number',
  hints: { readOnly: true },
  http: { method: 'GET' },
  input: z.object({
    to: z.int().min(1).max(1_000_000).describe('The last number'),
    every: z.int().min(0).max(10_000).default(0).describe('Milliseconds between two numbers'),
  }),
  yields: z.int().describe('The next number'),
  output: z.int().describe('The sum of all numbers'),
  async *run({ to, every }, { signal }) {
    let sum = 0;
    for (let i = 1; i <= to; i++) {
      sum += i;
      yield i;
      if (every > 0) await setTimeout(every, undefined, { signal });
    }
    return sum;
  },
});

const STORY = 'Once upon a time a function had so much to say that nobody wanted to wait for the end.';

/** As a language model answers: word by word, and then the whole text. */
const tell = defineFunction({
  name: 'Tell',
  description: 'Tells a story',
  input: z.object({ every: z.int().min(0).max(10_000).default(0).describe('Milliseconds between two words') }),
  yields: z.string().describe('The next words'),
  output: z.string().describe('The whole story'),
  errors: { NO_MORE_WORDS: { description: 'The storyteller has lost the thread.', status: 503 } },
  async *run({ every }, { signal }) {
    let told = '';
    for (const word of STORY.split(/(?<= )/)) {
      told += word;
      yield word;
      if (every > 0) await setTimeout(every, undefined, { signal });
      if (told.length > 10_000) throw new Failure('NO_MORE_WORDS', 'That is a long story');
    }
    return told;
  },
});

/** No generator: progress alone reaches HTTP, MCP and the terminal, too. */
const importRows = defineFunction({
  name: 'Import',
  description: 'Imports rows, and reports how far it is',
  input: z.object({
    rows: z.int().min(1).max(10_000).describe('How many rows'),
    every: z.int().min(0).max(10_000).default(0).describe('Milliseconds for each row'),
  }),
  output: z.int().describe('The number of imported rows'),
  run: async ({ rows, every }, context) => {
    for (let done = 1; done <= rows; done++) {
      if (every > 0) await setTimeout(every, undefined, { signal: context.signal });
      context.progress(done, rows, `row ${done}`);
    }
    return rows;
  },
});

export default createApp({ name: 'Streaming', version: '1.0.0', functions: [count, tell, importRows] });

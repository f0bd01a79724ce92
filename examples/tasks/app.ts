import { setTimeout } from 'node:timers/promises';
import { createApp, defineFunction } from 'everywire';
import { z } from 'zod';

/** A caller may wait for the answer, or take a task and look for it later. */
const report = defineFunction({
  name: 'Report',
  description: 'Writes a report',
  task: 'allowed',
  taskTimeout: 10 * 60_000,
  input: z.object({
    pages: z.int().min(1).max(100).describe('How many pages'),
    every: z.int().min(0).max(60_000).default(0).describe('Milliseconds for each page'),
  }),
  output: z.object({ title: z.string(), pages: z.int() }).describe('The report'),
  async run({ pages, every }, { progress, signal }) {
    for (let page = 1; page <= pages; page++) {
      await setTimeout(every, undefined, { signal });
      progress(page, pages, `page ${page}`);
    }
    return { title: 'The year', pages };
  },
});

/** Nobody should wait for this one. It asks before it does anything: the task then waits for the answer. */
const publish = defineFunction({
  name: 'Publish',
  description: 'Publishes a report, if somebody confirms it',
  task: 'always',
  taskTtl: 7 * 24 * 60 * 60_000,
  input: z.object({ title: z.string().describe('Which report') }),
  output: z.string().describe('What happened'),
  async run({ title }, context) {
    const { sure } = await context.ask(z.object({ sure: z.boolean().describe('Yes or no') }), `Publish "${title}"?`);
    return sure ? 'published' : 'kept';
  },
});

export default createApp({ name: 'Reports', version: '1.0.0', functions: [report, publish] });

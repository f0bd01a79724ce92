// Tasks of everywire: where they are kept is the first argument, or memory.
import { createApp } from 'everywire';
import { add } from '../add.mjs';
import { measureTasks } from './measure.mjs';

const [url] = process.argv.slice(2);
const store = url === 'memory' ? {} : { store: url };
const app = createApp({
  name: 'Bench',
  version: '1.0.0',
  functions: [{ ...add, task: 'allowed', run: ({ x, y }) => x + y }],
  ...store,
});
const caller = { wire: 'bench' };
const start = (wait) =>
  app.respond(
    { name: 'Add', input: { x: 1, y: 2 }, caller, deferral: { caller: 'prefers', askable: [], wait } },
    'plain',
  );

await measureTasks({
  work: (concurrency) => app.tasks.work({ concurrency }),
  /** Resolves when it is started. */
  start: () => start(),
  /** Resolves with the result. */
  call: async () => JSON.parse((await start(20_000)).body).result,
  unfinished: async () => (await app.tasks.stats()).byStatus.working,
  plain: () => app.respond({ name: 'Add', input: { x: 1, y: 2 }, caller }, 'plain'),
  close: () => app.close(),
});

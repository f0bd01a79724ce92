// Tasks of everywire: where they are kept is the first argument, or memory.
import { createApp } from 'everywire';
import { add } from '../add.mjs';
import { measureTasks } from './measure.mjs';

const [url] = process.argv.slice(2);
const store = url === 'memory' ? {} : { store: url };
const log = { debug() {}, info() {}, warn() {}, error: console.error };
const caller = { wire: 'bench' };

await measureTasks((name) => {
  const functions = [{ ...add, task: 'allowed', run: ({ x, y }) => x + y }];
  const app = createApp({ name, version: '1.0.0', functions, log, limits: { tasks: 200_000 }, ...store });
  const start = (wait) =>
    app.respond(
      { name: 'Add', input: { x: 1, y: 2 }, caller, deferral: { caller: 'prefers', askable: [], wait } },
      'plain',
    );
  return {
    work: (concurrency) => app.tasks.work({ concurrency }),
    /** Resolves when it is started. */
    start: () => start(),
    /** Resolves with the result. */
    call: async () => JSON.parse((await start(20_000)).body).result,
    unfinished: async () => (await app.tasks.stats()).byStatus.working,
    plain: () => app.respond({ name: 'Add', input: { x: 1, y: 2 }, caller }, 'plain'),
    close: () => app.close(),
  };
});

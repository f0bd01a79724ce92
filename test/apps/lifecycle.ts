// An app that writes when it starts, is called and stops, for tests of real processes.
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createApp, defineWith } from 'everywire';
import { z } from 'zod';

const { defineFunction, defineResource } = defineWith<{
  deps: { note: (line: string) => void; timer?: NodeJS.Timeout };
}>();

const run = defineFunction({
  name: 'Run',
  description: 'Notes that it was called',
  input: z.object({
    ms: z.int().default(0).describe('Takes so many milliseconds'),
    how: z.enum(['return', 'throw', 'uncaught', 'never', 'fail']).default('return').describe('How it ends'),
  }),
  output: z.string().describe('Always done'),
  timeout: 0,
  run: async ({ ms, how }, { deps, signal }) => {
    deps.note('call');
    signal.addEventListener('abort', () => deps.note('cancelled'));
    if (ms > 0) await wait(ms);
    if (how === 'throw') throw new Error('thrown');
    if (how === 'uncaught')
      setImmediate(() =>
        queueMicrotask(() => {
          throw new Error('uncaught');
        }),
      );
    if (how === 'uncaught' || how === 'never') await new Promise(() => {});
    deps.note('called');
    return 'done';
  },
});

const page = defineResource({
  uri: 'page:1',
  name: 'page',
  description: 'A page',
  read: (_variables, { deps }) => {
    deps.note('read');
    return 'text';
  },
});

export default createApp({
  name: 'Lifecycle',
  version: '1',
  functions: [run],
  resources: [page],
  limits: { drain: 3000 },
  start: async ({ env }) => {
    const note = (line: string) => appendFileSync(env.get('NOTES')!, `${line}\n`);
    note('start');
    await wait(Number(env.get('START_MS') ?? 20));
    if (env.get('START') === 'throw') throw new Error('no database');
    if (env.get('START') === 'never') await new Promise(() => {});
    // Keeps the process running until `stop`, as a pool of connections does.
    return { note, timer: setInterval(() => {}, 1000), started: env.get('NOTES')! };
  },
  stop: async ({ note, timer }) => {
    clearInterval(timer);
    // If start failed there is nothing to note with.
    const say = note ?? ((line: string) => appendFileSync(process.env['NOTES_FILE']!, `${line}\n`));
    say('stop');
    await wait(50);
    say('stopped');
  },
});

// An app that notes when it starts, is called and stops. What it does is in variables, for tests with real processes.
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createApp, defineWith } from 'everywire';
import { z } from 'zod';

interface Deps {
  note(line: string): void;
  timer: NodeJS.Timeout;
}
const { defineFunction } = defineWith<{ deps: Deps }>();

const run = defineFunction({
  name: 'Run',
  description: 'Notes that it was called',
  input: z.object({
    ms: z.int().default(0).describe('How long it takes'),
    how: z.enum(['return', 'throw', 'uncaught', 'exit']).default('return').describe('How it ends'),
  }),
  output: z.string().describe('Always done'),
  run: async ({ ms, how }, { deps, signal }) => {
    deps.note('call');
    signal.addEventListener('abort', () => deps.note('cancelled'));
    if (ms > 0) await wait(ms);
    if (how === 'throw') throw new Error('thrown');
    if (how === 'uncaught') {
      setImmediate(() => {
        throw new Error('uncaught');
      });
      await new Promise(() => {});
    }
    deps.note('called');
    return 'done';
  },
});

/** The file is a variable of the process, too: a failed `start` leaves nothing to note with. */
const toFile = (file: string) => (line: string) => appendFileSync(file, `${line}\n`);

export default createApp({
  name: 'Lifecycle',
  version: '1',
  functions: [run],
  limits: { drain: 10_000 },
  start: async ({ env }): Promise<Deps> => {
    const note = toFile(env.get('NOTES')!);
    note('start');
    await wait(Number(env.get('START_MS') ?? 10));
    if (env.get('START') === 'throw') throw new Error('no database');
    if (env.get('START') === 'hang') await new Promise(() => {});
    // Keeps the process running until `stop`, as a pool of connections does.
    return { note, timer: setInterval(() => {}, 1000) };
  },
  stop: async ({ note = toFile(process.env['NOTES']!), timer }) => {
    clearInterval(timer);
    note('stop');
    await wait(20);
    if (process.env['STOP'] === 'throw') throw new Error('cannot close');
    note('stopped');
  },
});

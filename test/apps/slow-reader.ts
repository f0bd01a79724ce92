import { setTimeout as wait } from 'node:timers/promises';
import { createApp, defineFunction } from 'everywire';

const text = { type: 'string', description: 'A text' } as const;
const integer = { type: 'integer', description: 'A number' } as const;

/** What takes long, says much or never ends, for clients that do not read. */
export default createApp({
  name: 'SlowReader',
  version: '1.0.0',
  names: 'portable',
  limits: { drain: Number(process.env['DRAIN'] ?? 10_000) },
  log: { debug() {}, info() {}, warn() {}, error() {} },
  functions: [
    defineFunction({
      name: 'Echo',
      description: 'Says it again',
      input: { type: 'object', properties: { text }, required: ['text'] },
      output: text,
      run: ({ text: said }) => said,
    }),
    defineFunction({
      name: 'Big',
      description: 'Says a lot',
      input: { type: 'object', properties: { length: integer }, required: ['length'] },
      output: text,
      run: ({ length }) => 'x'.repeat(length),
    }),
    defineFunction({
      name: 'Wait',
      description: 'Takes its time',
      input: { type: 'object', properties: { ms: integer }, required: ['ms'] },
      output: integer,
      run: async ({ ms }) => wait(ms, ms),
    }),
    defineFunction({ name: 'Never', description: 'Does not end', timeout: 0, run: () => new Promise(() => {}) }),
    defineFunction({
      name: 'Chatter',
      description: 'Logs so much, and says on stderr when it has',
      input: { type: 'object', properties: { megabytes: integer, id: text }, required: ['megabytes', 'id'] },
      output: integer,
      run: async ({ megabytes, id }, context) => {
        for (let i = 0; i < megabytes; i++) {
          for (let j = 0; j < 100; j++) context.log.info('x'.repeat(10_000));
          context.progress(i);
          await wait(5);
        }
        process.stderr.write(`${id} has logged everything\n`);
        return megabytes;
      },
    }),
    defineFunction({
      name: 'Ask',
      description: 'Asks',
      timeout: 0,
      output: integer,
      run: async (_input, context) => {
        const schema = { type: 'object', properties: { y: integer }, required: ['y'] } as const;
        const { y } = await context.ask(schema, 'How many?');
        return y;
      },
    }),
    defineFunction({
      name: 'CloseInput',
      description: 'Does to stdin what it can',
      run: () => {
        process.stdin.on('data', () => {});
        process.stdin.destroy();
      },
    }),
  ],
});

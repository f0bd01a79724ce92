import { Failure, createApp, defineFunction } from '../../src/index.ts';
import type { App } from '../../src/index.ts';

const integer = { type: 'integer', description: 'A number' } as const;

/** Every way in which a call can end, for the lane and the official server to end it alike. */
export const app: App = createApp({
  name: 'Both',
  version: '1.0.0',
  description: 'Ends in every way',
  secret: 'a secret that both of them know of',
  errors: 'shown',
  log: { debug() {}, info() {}, warn() {}, error() {} },
  functions: [
    defineFunction({
      name: 'Add',
      description: 'Adds',
      input: { type: 'object', properties: { x: integer, y: integer }, required: ['x', 'y'] },
      output: integer,
      run: ({ x, y }) => x + y,
    }),
    defineFunction({
      name: 'Split',
      description: 'Gives two values',
      input: {
        type: 'object',
        properties: { text: { type: 'string', description: 'Words' } },
        required: ['text'],
      },
      outputs: [
        { type: 'array', items: { type: 'string' }, description: 'The words' },
        { type: 'integer', description: 'How many' },
      ],
      run: ({ text }) => [text.split(' '), text.split(' ').length] as const,
    }),
    defineFunction({ name: 'Nothing', description: 'Gives nothing', run: () => {} }),
    defineFunction({
      name: 'Fail',
      description: 'Fails as it is told to',
      input: {
        type: 'object',
        properties: { code: { type: 'string', description: 'The code' } },
        required: ['code'],
      },
      run: ({ code }) => {
        throw new Failure(code, 'As you wish', { details: { asked: code } });
      },
    }),
    defineFunction({
      name: 'Throw',
      description: 'Throws',
      run: () => {
        throw new Error('boom "quoted"');
      },
    }),
    defineFunction({ name: 'Lie', description: 'Answers wrongly', output: integer, run: () => 'no number' as never }),
    defineFunction({
      name: 'Later',
      description: 'Answers later',
      input: { type: 'object', properties: { x: integer }, required: ['x'] },
      output: integer,
      run: async ({ x }) => Promise.resolve(x),
    }),
    defineFunction({
      name: 'Log',
      description: 'Logs',
      output: integer,
      run: (_input, { log }) => {
        log.debug('little');
        log.warn('much', { of: 'it' });
        log.info('what no JSON can carry', { big: 1n });
        return 1;
      },
    }),
    defineFunction({
      name: 'Ask',
      description: 'Asks',
      output: integer,
      run: async (_input, context) => {
        const schema = { type: 'object', properties: { y: integer }, required: ['y'] } as const;
        const { y } = await context.ask(schema, 'How many?');
        return y;
      },
    }),
    defineFunction({
      name: 'Picture',
      description: 'Puts a picture beside the answer',
      output: integer,
      run: (_input, context) => {
        context.attach({ type: 'image', data: 'AAAA', mimeType: 'image/png' });
        return 1;
      },
    }),
    defineFunction({
      name: 'Words',
      description: 'Says it in words',
      output: integer,
      describe: (count) => `It is ${count}`,
      run: () => 1,
    }),
  ],
});

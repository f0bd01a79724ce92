import { Failure, createApp, defineFunction, definePrompt, defineResource } from 'everywire';

const integer = { type: 'integer', description: 'A number' } as const;

/** Functions whose calls end in every possible way. Without resources, a handshake over HTTP needs no session. */
export const options = {
  name: 'Messages',
  version: '1.0.0',
  description: 'Ends in every way',
  secret: 'a secret that all servers of this app share',
  errors: 'shown' as const,
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
      description: 'Returns two values',
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
    defineFunction({ name: 'Nothing', description: 'Returns nothing', run: () => {} }),
    defineFunction({
      name: 'Fail',
      description: 'Fails with the given code',
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
    defineFunction({
      name: 'Lie',
      description: 'Returns the wrong type',
      output: integer,
      run: () => 'no number' as never,
    }),
    defineFunction({
      name: 'Later',
      description: 'Returns later',
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
      description: 'Asks the client',
      output: integer,
      run: async (_input, context) => {
        const schema = { type: 'object', properties: { y: integer }, required: ['y'] } as const;
        const { y } = await context.ask(schema, 'How many?');
        return y;
      },
    }),
    defineFunction({
      name: 'Picture',
      description: 'Adds a picture to the result',
      output: integer,
      run: (_input, context) => {
        context.attach({ type: 'image', data: 'AAAA', mimeType: 'image/png' });
        return 1;
      },
    }),
    defineFunction({
      name: 'Words',
      description: 'Describes the result in words',
      output: integer,
      describe: (count) => `It is ${count}`,
      run: () => 1,
    }),
  ],
};

export default createApp({
  ...options,
  resources: [
    defineResource({ name: 'word', uri: 'words://{word}', description: 'A word', read: ({ word }) => `It is ${word}` }),
  ],
  prompts: [definePrompt({ name: 'greet', description: 'Greets', run: () => 'Hello' })],
});

import { createApp, defineFunction } from 'everywire';

export default createApp({
  name: 'Strict',
  version: '1.0.0',
  strict: true,
  functions: [
    defineFunction({
      name: 'Add',
      description: 'Adds',
      input: {
        type: 'object',
        properties: { x: { type: 'integer', description: 'One' }, y: { type: 'integer', description: 'Two' } },
        required: ['x', 'y'],
      },
      output: { type: 'integer', description: 'Sum' },
      run: ({ x, y }) => x + y,
    }),
  ],
});

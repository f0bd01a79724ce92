import { createApp, defineFunction } from 'everywire';

const add = {
  description: 'Adds',
  input: {
    type: 'object',
    properties: { x: { type: 'integer', description: 'One' }, y: { type: 'integer', description: 'Two' } },
    required: ['x', 'y'],
  },
  output: { type: 'integer', description: 'Sum' },
  run: ({ x, y }: { x: number; y: number }) => x + y,
} as const;

export default createApp({
  name: 'Portable',
  version: '1.0.0',
  names: 'portable',
  functions: [
    defineFunction({ ...add, name: 'Add' }),
    defineFunction({ ...add, name: 'Plus', operationId: 'math.plus' }),
  ],
});

import { createApp, defineFunction } from 'everywire';
import { serve } from 'everywire/node';
import { tellParent } from '../tell-parent.mjs';

const add = defineFunction({
  name: 'Add',
  description: 'Adds two integers together',
  input: {
    type: 'object',
    properties: {
      x: { type: 'integer', description: 'First integer to add' },
      y: { type: 'integer', description: 'Second integer to add' },
    },
    required: ['x', 'y'],
  },
  output: { type: 'integer', description: 'Sum of x and y' },
  run: ({ x, y }) => x + y,
});

const app = createApp({ name: 'Bench', version: '1.0.0', functions: [add] });
const { server } = await serve(app, { port: 0 });
tellParent(server.address().port);

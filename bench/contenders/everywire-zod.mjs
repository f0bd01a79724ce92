import { createApp, defineFunction } from 'everywire';
import { serve } from 'everywire/node';
import { z } from 'zod';
import { tellParent } from '../tell-parent.mjs';

const add = defineFunction({
  name: 'Add',
  description: 'Adds two integers together',
  input: z.object({
    x: z.int().describe('First integer to add'),
    y: z.int().describe('Second integer to add'),
  }),
  output: z.int().describe('Sum of x and y'),
  run: ({ x, y }) => x + y,
});

const app = createApp({ name: 'Bench', version: '1.0.0', functions: [add] });
const { server } = await serve(app, { port: 0 });
tellParent(server.address().port);

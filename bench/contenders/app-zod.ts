// The same in TypeScript, with a schema library.
import { createApp, defineFunction } from 'everywire';
import { z } from 'zod';

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

export default createApp({ name: 'Bench', version: '1.0.0', functions: [add] });

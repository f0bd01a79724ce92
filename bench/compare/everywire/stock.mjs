import { createApp, defineFunction } from 'everywire';
import { z } from 'zod';
import { connect } from '../business/database.mjs';

const stock = defineFunction({
  name: 'Stock',
  description: 'How many pieces are left',
  input: z.object({ product: z.enum(['tea', 'mug']).describe('Of what') }),
  output: z.object({ pieces: z.int().describe('How many') }).describe('The stock'),
  run: async ({ product }, { deps }) => ({ pieces: await deps.database.stockOf(product) }),
});

export default createApp({
  name: 'Shop',
  version: '1.0.0',
  functions: [stock],
  start: async () => ({ database: await connect() }),
  stop: ({ database }) => database?.close(),
});

import { createApp, defineFunction } from 'everywire';
import { z } from 'zod';
import { priceOf } from '../business/prices.mjs';

const quote = defineFunction({
  name: 'Quote',
  description: 'The price of an order',
  input: z.object({
    product: z.enum(['tea', 'mug']).describe('What to buy'),
    quantity: z.int().min(1).max(100).describe('How many'),
  }),
  output: z.object({ total: z.int().describe('In cents') }).describe('The price'),
  run: ({ product, quantity }) => ({ total: priceOf(product) * quantity }),
});

export default createApp({ name: 'Shop', version: '1.0.0', functions: [quote] });

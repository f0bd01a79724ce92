import { Cli, z } from 'incur';
import { priceOf } from '../business/prices.mjs';

export const cli = Cli.create('shop', { version: '1.0.0', mcp: { tools: { discovery: 'direct' } } }).command('quote', {
  description: 'The price of an order',
  options: z.object({
    product: z.enum(['tea', 'mug']).describe('What to buy'),
    quantity: z.number().int().min(1).max(100).describe('How many'),
  }),
  output: z.object({ total: z.int().describe('In cents') }),
  run: ({ options: { product, quantity } }) => ({ total: priceOf(product) * quantity }),
});

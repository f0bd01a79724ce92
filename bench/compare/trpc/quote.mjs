import { initTRPC } from '@trpc/server';
import { z } from 'zod';
import { priceOf } from '../business/prices.mjs';

const t = initTRPC.meta().create();

export const input = z.object({
  product: z.enum(['tea', 'mug']).describe('What to buy'),
  quantity: z.int().min(1).max(100).describe('How many'),
});
export const output = z.object({ total: z.int().describe('In cents') });

export const router = t.router({
  quote: t.procedure
    .meta({ description: 'The price of an order' })
    .input(input)
    .output(output)
    .query(({ input: { product, quantity } }) => ({ total: priceOf(product) * quantity })),
});

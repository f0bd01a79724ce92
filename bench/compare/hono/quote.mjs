import { z } from 'zod';
import { priceOf } from '../business/prices.mjs';

export const input = z.object({
  product: z.enum(['tea', 'mug']).describe('What to buy'),
  quantity: z.int().min(1).max(100).describe('How many'),
});

export const quote = ({ product, quantity }) => ({ total: priceOf(product) * quantity });

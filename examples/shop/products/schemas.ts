import { z } from 'zod';

/** No control characters: PostgreSQL cannot store all of them, and nobody means them. */
const line = z.string().regex(/^[^\p{Cc}]*$/u);

export const sku = z.string().regex(/^[A-Z][A-Z0-9-]{0,19}$/);
export const cents = z.int().min(0).max(10_000_000);

export const product = z.object({
  sku: sku.describe('The number of the product, such as TEA-1'),
  name: line.min(1).max(100).describe('The name'),
  price: cents.describe('The price, in cents'),
  stock: z.int().min(0).max(1_000_000).describe('How many are left'),
});

export const search = line.max(100);

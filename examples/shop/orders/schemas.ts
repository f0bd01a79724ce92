import { z } from 'zod';
import { cents, sku } from '../products/schemas.ts';

export const orderId = z.int().min(1).max(2_147_483_647);
export const customer = z.email().max(200);

export const item = z.object({
  sku: sku.describe('The product'),
  quantity: z.int().min(1).max(1000).describe('How many'),
});

export const order = z.object({
  id: orderId.describe('The number of the order'),
  customer: z.string().describe('The customer'),
  enteredBy: z.string().describe('Who entered it'),
  status: z.enum(['open', 'cancelled']).describe('What became of it'),
  createdAt: z.date().describe('When it was made'),
  items: z.array(item.extend({ price: cents.describe('Of one, in cents') })).describe('What was bought'),
  total: z.int().describe('What it costs, in cents'),
});

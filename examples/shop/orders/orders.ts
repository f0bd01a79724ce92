import { Failure } from 'everywire';
import { z } from 'zod';
import { defineFunction } from '../define.ts';
import { customer, item, order, orderId } from './schemas.ts';
import { withTotal } from './with-total.ts';

export const createOrder = defineFunction({
  name: 'orders.Create',
  description: 'Orders products',
  input: z.object({
    customer: customer.describe('The e-mail address of the customer'),
    items: z.array(item).min(1).max(100).describe('What to buy'),
  }),
  output: order.describe('The order'),
  errors: {
    UNKNOWN_PRODUCT: { description: 'There is no such product.', status: 404 },
    OUT_OF_STOCK: { description: 'There are not enough of a product.', status: 409 },
  },
  run: async (input, { deps, values }) => {
    const created = await deps.store.createOrder({ ...input, enteredBy: values.user.name });
    if (!('problem' in created)) return withTotal(created);
    const { problem, sku } = created;
    const message = problem === 'OUT_OF_STOCK' ? `There are not enough of ${sku}` : `There is no product ${sku}`;
    throw new Failure(problem, message, { details: { sku } });
  },
});

export const listOrders = defineFunction({
  name: 'orders.List',
  description: 'Lists the orders of a customer',
  hints: { readOnly: true },
  cli: { positional: ['customer'], short: { limit: 'n' } },
  input: z.object({
    customer: customer.describe('The e-mail address of the customer'),
    limit: z.int().min(1).max(100).default(20).describe('How many at most'),
  }),
  output: z.array(order).describe('The orders, the newest first'),
  run: async (input, { deps }) => (await deps.store.listOrders(input.customer, input.limit)).map(withTotal),
});

export const cancelOrder = defineFunction({
  name: 'orders.Cancel',
  description: 'Cancels an order, and puts its products back into the stock',
  hints: { destructive: true },
  cli: { positional: ['id'] },
  input: z.object({ id: orderId.describe('Which order') }),
  output: order.describe('The order'),
  errors: { NOT_FOUND: { description: 'There is no such open order.' } },
  run: async ({ id }, { deps }) => {
    const cancelled = await deps.store.cancelOrder(id);
    if (!cancelled) throw new Failure('NOT_FOUND', `There is no open order ${id}`);
    return withTotal(cancelled);
  },
});

import { createApp, defineFunction, Failure, type App } from 'everywire';
import { z } from 'zod';
import { address, category, contact, currency, line, money, order, payment, status } from './shop-types.ts';

// Thirty functions with everything that generators of clients find difficult.

const id = z.string().describe('The number of an order');
const errors = { ORDER_NOT_FOUND: { description: 'There is no such order.', status: 404 } };
const example = {
  id: 'o-1',
  lines: [{ sku: 'tea', quantity: 2, note: null }],
  shipTo: { street: 'Storgata 1', city: 'Oslo', country: 'NO', floor: null },
  total: { amount: 99.5, currency: 'NOK' as const },
  status: 'new' as const,
  placedAt: new Date('2026-01-02T03:04:05Z'),
  labels: { gift: 'yes' },
};

function find(wanted: string) {
  if (wanted !== example.id) throw new Failure('ORDER_NOT_FOUND', `Order not found: ${wanted}`);
  return example;
}

const functions = [
  defineFunction({
    name: 'GetOrder',
    description: 'Returns an order',
    input: z.object({ id }),
    output: order,
    errors,
    run: (input) => find(input.id),
  }),
  defineFunction({
    name: 'PlaceOrder',
    description: 'Places an order',
    input: z.object({
      lines: z.array(line).min(1).describe('What to order'),
      shipTo: address.describe('Where to send it'),
      contact: contact.describe('Whom to write to'),
      payment: payment.optional(),
    }),
    output: order.describe('The order that was placed'),
    errors: { OUT_OF_STOCK: { description: 'A product is out of stock.', status: 409 } },
    run: ({ lines, shipTo }) => {
      if (lines.some(({ sku }) => sku === 'gone')) throw new Failure('OUT_OF_STOCK', 'Out of stock: gone');
      return { ...example, lines, shipTo };
    },
  }),
  defineFunction({
    name: 'ImportOrder',
    description: 'Takes over an order from another shop',
    input: z.object({
      order: order.describe('The order, as the other shop has it'),
      dryRun: z.boolean().optional().describe('Only check it'),
    }),
    run: () => {},
  }),
  defineFunction({
    name: 'ListOrders',
    description: 'Lists orders',
    input: z.object({
      status: status.optional().describe('Only orders that are this far'),
      since: z.date().optional().describe('Only orders placed since then'),
      limit: z.int().min(1).max(100).default(20).describe('At most so many'),
    }),
    yields: order.describe('An order'),
    output: z.array(order).describe('The orders'),
    async *run(input) {
      const orders = input.status === undefined || input.status === 'new' ? [example] : [];
      yield* orders;
      return orders;
    },
  }),
  defineFunction({
    name: 'SplitOrder',
    description: 'Splits an order into two',
    input: z.object({ id, skus: z.array(z.string()).describe('What goes into the second one') }),
    outputs: [order.describe('The first order'), order.nullable().describe('The second one, if there is one')],
    errors,
    run: (input) => [find(input.id), null] as const,
  }),
  defineFunction({
    name: 'CancelOrder',
    description: 'Cancels an order',
    input: z.object({ id, reason: z.string().nullable().describe('Why') }),
    errors: { ...errors, ALREADY_SENT: { description: 'It has been sent.', status: 409 } },
    run: (input) => void find(input.id),
  }),
  defineFunction({
    name: 'OrderTotals',
    description: 'Adds up orders by currency',
    output: z.record(z.string(), money).describe('Totals by currency'),
    run: () => ({ NOK: example.total }),
  }),
  defineFunction({
    name: 'Categories',
    description: 'Returns the categories of products',
    output: category,
    run: () => ({ name: 'all', children: [{ name: 'tea', children: [] }] }),
  }),
  defineFunction({
    name: 'MoveCategory',
    description: 'Moves a category',
    input: z.object({ category: category.describe('What to move'), below: z.string().nullable().describe('Where to') }),
    output: z.boolean().describe('Whether it was moved'),
    run: () => true,
  }),
  defineFunction({
    name: 'Convert',
    description: 'Converts money to another currency',
    input: z.object({ money: money.describe('The money'), to: currency.describe('The other currency') }),
    output: money.describe('The converted money'),
    errors: { NO_RATE: { description: 'No rate is known.', status: 503 } },
    run: ({ money: { amount }, to }) => ({ amount: amount * 2, currency: to }),
  }),
  defineFunction({
    name: 'FindAddress',
    description: 'Looks an address up',
    input: z.object({
      query: z
        .union([z.string(), z.object({ latitude: z.number(), longitude: z.number() })])
        .describe('A text or a place'),
    }),
    output: address.nullable().describe('The address, if one was found'),
    run: ({ query }) => (typeof query === 'string' ? example.shipTo : null),
  }),
  defineFunction({
    name: 'SetContact',
    description: 'Changes whom to write to',
    input: z.object({ id, contact: contact.describe('Whom to write to') }),
    output: payment,
    errors,
    run: () => ({ kind: 'card' as const, last4: '4242' }),
  }),
  defineFunction({ name: 'Ping', description: 'Does nothing', run: () => {} }),
  defineFunction({
    name: 'SearchProducts',
    description: 'Searches for products',
    input: z.object({
      text: z.string().describe('What to search for'),
      filter: z
        .object({
          price: z.object({ from: z.number().optional(), to: z.number().optional() }).optional().describe('The price'),
          tags: z.array(z.string()).optional().describe('Tags that it has'),
        })
        .optional()
        .describe('What to leave out'),
    }),
    output: z
      .object({
        products: z
          .array(z.object({ sku: z.string(), price: money, images: z.array(z.url()) }))
          .describe('The products'),
        total: z.int().describe('How many there are'),
        next: z.string().nullable().describe('Where to go on'),
      })
      .describe('A page of products'),
    run: () => ({ products: [{ sku: 'tea', price: example.total, images: [] }], total: 1, next: null }),
  }),
];

/** Small functions, as an app has many of them. */
const NAMES = 'Stock Reserve Release Weigh Pack Label Ship Track Receive Refund Rate Review Recommend Subscribe';
const small = `${NAMES} Unsubscribe Archive`.split(' ').map((name) =>
  defineFunction({
    name,
    description: `${name} a product`,
    input: z.object({ sku: z.string().describe('Which product'), quantity: z.int().min(0).describe('How many') }),
    output: z.object({ sku: z.string(), left: z.int() }).describe('What is left'),
    examples: [{ input: { sku: 'tea', quantity: 1 }, output: { sku: 'tea', left: 9 } }],
    run: ({ sku, quantity }) => ({ sku, left: 10 - quantity }),
  }),
);

const app: App = createApp({
  name: 'Shop',
  version: '1.0.0',
  description: 'A shop with thirty functions.',
  license: { name: 'MIT', identifier: 'MIT' },
  functions: [...functions, ...small],
});

export default app;

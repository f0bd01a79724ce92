import { z } from 'zod';

// Named types that many functions share. `Order` has a default, so that callers send another type than they receive.

export const currency = z.enum(['EUR', 'NOK', 'USD']).describe('A currency').meta({ id: 'Currency' });

export const money = z
  .object({ amount: z.number().describe('How much'), currency: currency.describe('In which currency') })
  .describe('An amount of money')
  .meta({ id: 'Money' });

export const address = z
  .object({
    street: z.string().describe('Street and number'),
    city: z.string().describe('City'),
    country: z.string().length(2).describe('Two letters'),
    floor: z.int().nullable().describe('The floor, if there is one'),
  })
  .describe('Where somebody lives')
  .meta({ id: 'Address' });

export const line = z
  .object({
    sku: z.string().describe('Which product'),
    quantity: z.int().min(1).default(1).describe('How many'),
    note: z.string().nullable().optional().describe('A note to the packer'),
  })
  .describe('A line of an order')
  .meta({ id: 'OrderLine' });

export const status = z.enum(['new', 'paid', 'sent', 'cancelled']).describe('How far an order is');

export const order = z
  .object({
    id: z.string().describe('Its number'),
    lines: z.array(line).describe('What was ordered'),
    shipTo: address.describe('Where it goes'),
    total: money.describe('What it costs'),
    status: status.describe('How far it is'),
    placedAt: z.date().describe('When it was placed'),
    labels: z.record(z.string(), z.string()).describe('Labels by name'),
  })
  .describe('An order')
  .meta({ id: 'Order' });

/** Without names of their own, but with a field that tells them apart. */
export const payment = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('card').describe('By card'), last4: z.string().describe('The last four digits') }),
    z.object({ kind: z.literal('invoice').describe('By invoice'), dueInDays: z.int().describe('Days until due') }),
  ])
  .describe('How it is paid');

export interface Category {
  readonly name: string;
  readonly children: readonly Category[];
}

export const category: z.ZodType<Category> = z
  .object({
    name: z.string().describe('Its name'),
    children: z.array(z.lazy(() => category)).describe('Categories within it'),
  })
  .describe('A category of products')
  .meta({ id: 'Category' });

/** Used by several functions, without a name: it is named after the field. */
export const contact = z.object({
  email: z.email().describe('An address for e-mail'),
  phone: z.string().nullable().describe('A telephone number'),
  language: z.enum(['en', 'nb', 'ja']).describe('The language to write in'),
});

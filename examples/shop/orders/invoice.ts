import { Failure, forms } from 'everywire';
import { z } from 'zod';
import { defineFunction } from '../define.ts';
import { orderId } from './schemas.ts';
import { withTotal } from './with-total.ts';

const euros = (cents: number) => (cents / 100).toFixed(2).padStart(10);

export const getInvoice = defineFunction({
  name: 'orders.Invoice',
  description: 'Returns the invoice of an order, as a text file',
  hints: { readOnly: true },
  http: { method: 'GET', path: '/orders/{id}/invoice' },
  cli: { positional: ['id'] },
  input: z.object({ id: orderId.describe('Which order') }),
  output: { ...forms.file, description: 'The invoice' },
  errors: { NOT_FOUND: { description: 'There is no such order.' } },
  run: async ({ id }, { deps }) => {
    const found = await deps.store.findOrder(id);
    if (!found) throw new Failure('NOT_FOUND', `There is no order ${id}`);
    const { items, total, customer } = withTotal(found);
    const lines = items.map(({ sku, quantity, price }) => `${sku.padEnd(20)} ${quantity} x${euros(price)}`);
    const text = [`Invoice ${id} for ${customer}`, '', ...lines, '', `Total: ${euros(total).trim()} EUR`, ''].join(
      '\n',
    );
    return new File([text], `invoice-${id}.txt`, { type: 'text/plain' });
  },
});

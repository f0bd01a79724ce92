import { Failure } from 'everywire';
import { createTestContext } from 'everywire/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { cancelOrder, createOrder } from '../orders/orders.ts';
import { addProduct } from '../products/catalogue.ts';
import { importProducts } from '../products/import.ts';
import { getPicture, setPicture } from '../products/pictures.ts';
import { MemoryStore } from '../store/memory-store.ts';

// The code of single functions, without an app and without a wire.

const user = { name: 'ada', isStaff: true };
let deps: { store: MemoryStore };

beforeEach(() => {
  deps = { store: new MemoryStore() };
});

describe('orders', () => {
  it('are entered by whoever the middleware found, and have a total', async () => {
    const context = createTestContext({ deps, values: { user } });
    const order = await createOrder.run(
      { customer: 'bo@example.org', items: [{ sku: 'TEA-1', quantity: 3 }] },
      context,
    );
    expect(order).toMatchObject({ enteredBy: 'ada', total: 1350, status: 'open' });
  });

  it('are refused with the product that is not there', async () => {
    const context = createTestContext({ deps, values: { user } });
    const order = { customer: 'bo@example.org', items: [{ sku: 'TEA-2', quantity: 4 }] };
    await expect(createOrder.run(order, context)).rejects.toMatchObject({
      code: 'OUT_OF_STOCK',
      options: { details: { sku: 'TEA-2' } },
    });
    await expect(cancelOrder.run({ id: 7 }, context)).rejects.toBeInstanceOf(Failure);
  });
});

describe('pictures', () => {
  it('come back as they were', async () => {
    const context = createTestContext({ deps, values: { user } });
    const picture = new File(['picture'], 'tea.png', { type: 'image/png' });
    await setPicture.run({ sku: 'TEA-1', picture }, context);
    const found = (await getPicture.run({ sku: 'TEA-1' }, context)) as File;
    expect([found.name, found.type, await found.text()]).toEqual(['tea.png', 'image/png', 'picture']);
  });
});

describe('an import', () => {
  it('yields every line, reports progress and counts', async () => {
    const context = createTestContext({ deps, values: { user }, functions: [addProduct] });
    const file = new File(['CUP-1;Cup;700;5\nTEA-1;Tea;1;1\r\n\ncup;;x;-1'], 'products.csv');
    const run = importProducts.run({ file }, context) as AsyncGenerator;
    const rows = [];
    let last = await run.next();
    for (; !last.done; last = await run.next()) rows.push(last.value);
    expect(last.value).toEqual({ added: 1, refused: 2 });
    expect(rows).toEqual([
      { line: 1, sku: 'CUP-1' },
      { line: 2, sku: 'TEA-1', problem: 'There is a product TEA-1 already' },
      { line: 4, sku: 'cup', problem: expect.stringContaining('sku') },
    ]);
    expect(context.progressReports.at(-1)).toMatchObject({ done: file.size, total: file.size });
    expect(await deps.store.findProduct('CUP-1')).toMatchObject({ price: 700, stock: 5 });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Order, Store } from '../store/store.ts';
import { kinds } from './stores.ts';
import type { Opened } from './stores.ts';

for (const kind of kinds) {
  describe.skipIf(kind.isMissing)(`the store ${kind.name}`, () => {
    let opened: Opened;
    let store: Store;
    beforeAll(async () => {
      opened = await kind.open();
      store = opened.store;
    });
    afterAll(() => opened.close());

    it('has the first products', async () => {
      expect((await store.listProducts('', 100)).map(({ sku }) => sku)).toEqual(['MUG-1', 'TEA-1', 'TEA-2']);
      expect(await store.findProduct('TEA-1')).toEqual({
        sku: 'TEA-1',
        name: 'Green tea, 100 g',
        price: 450,
        stock: 40,
      });
      expect(await store.findProduct('TEA-9')).toBeUndefined();
    });

    it('finds what is searched for, character by character', async () => {
      expect(await store.listProducts('TEA', 1)).toMatchObject([{ sku: 'TEA-1' }]);
      for (const search of ['%', '_', `' OR '1' = '1`, '\\']) expect(await store.listProducts(search, 100)).toEqual([]);
    });

    it('takes text for text, whatever it looks like', async () => {
      const name = `Robert'); DROP TABLE products; --`;
      expect(await store.addProduct({ sku: 'BOB', name, price: 1, stock: 1 })).toBe(true);
      expect(await store.findProduct('BOB')).toMatchObject({ name });
      expect(await store.listOrders(`' OR customer <> '`, 10)).toEqual([]);
    });

    it('adds a product once, also if two add it at the same time', async () => {
      const product = { sku: 'CUP-1', name: 'Cup', price: 700, stock: 1 };
      const added = await Promise.all([store.addProduct(product), store.addProduct(product)]);
      expect(added.filter(Boolean)).toEqual([true]);
    });

    it('keeps the bytes of a picture', async () => {
      const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
      expect(await store.findPicture('MUG-1')).toBeUndefined();
      expect(await store.setPicture('MUG-1', { name: 'mug.png', type: 'image/png', bytes })).toBe(true);
      const found = await store.findPicture('MUG-1');
      expect(found).toMatchObject({ name: 'mug.png', type: 'image/png' });
      expect([...found!.bytes]).toEqual([...bytes]);
      expect(await store.setPicture('MUG-9', { name: 'mug.png', type: 'image/png', bytes })).toBe(false);
    });

    it('creates an order with the prices of the day, and finds it again', async () => {
      const item = { sku: 'TEA-1', quantity: 1 };
      const items = [item, { sku: 'MUG-1', quantity: 2 }, item];
      const order = (await store.createOrder({ customer: 'ada@example.org', enteredBy: 'guest', items })) as Order;
      expect(order).toMatchObject({ customer: 'ada@example.org', enteredBy: 'guest', status: 'open' });
      expect(order.createdAt).toBeInstanceOf(Date);
      expect(order.items).toEqual([
        { sku: 'MUG-1', quantity: 2, price: 900 },
        { sku: 'TEA-1', quantity: 2, price: 450 },
      ]);
      expect(await store.findOrder(order.id)).toEqual(order);
      const again = await store.createOrder({ customer: 'ada@example.org', enteredBy: 'guest', items: [item] });
      expect(await store.listOrders('ada@example.org', 10)).toEqual([again, order]);
      expect(await store.listOrders('ada@example.org', 1)).toEqual([again]);
      expect(await store.findProduct('TEA-1')).toMatchObject({ stock: 37 });
    });

    it('takes all items or none', async () => {
      const before = await store.listProducts('', 100);
      const customer = 'bo@example.org';
      const order = (sku: string) => {
        const items = ['MUG-1', sku].map((one) => ({ sku: one, quantity: 4 }));
        return store.createOrder({ customer, enteredBy: 'guest', items });
      };
      expect(await order('TEA-2')).toEqual({ problem: 'OUT_OF_STOCK', sku: 'TEA-2' });
      expect(await order('TEA-9')).toEqual({ problem: 'UNKNOWN_PRODUCT', sku: 'TEA-9' });
      expect(await store.listProducts('', 100)).toEqual(before);
      expect(await store.listOrders(customer, 10)).toEqual([]);
    });

    it('never sells more than there is, however many order at the same time', async () => {
      await store.addProduct({ sku: 'RARE-1', name: 'Rare', price: 1, stock: 10 });
      await store.addProduct({ sku: 'RARE-2', name: 'Rare, too', price: 1, stock: 10 });
      // In both orders: whoever locked them as they come would wait for each other.
      const orders = Array.from({ length: 40 }, (_, i) => ({
        customer: `${i}@example.org`,
        enteredBy: 'guest',
        items: (i % 2 ? ['RARE-1', 'RARE-2'] : ['RARE-2', 'RARE-1']).map((sku) => ({ sku, quantity: 1 })),
      }));
      const created = await Promise.all(orders.map((order) => store.createOrder(order)));
      expect(created.filter((order) => 'id' in order)).toHaveLength(10);
      expect(created.filter((order) => 'problem' in order && order.problem === 'OUT_OF_STOCK')).toHaveLength(30);
      expect(await store.findProduct('RARE-1')).toMatchObject({ stock: 0 });
      expect(await store.findProduct('RARE-2')).toMatchObject({ stock: 0 });
    });

    it('cancels an order once, also if two cancel it at the same time', async () => {
      const items = [{ sku: 'TEA-2', quantity: 3 }];
      const { id } = (await store.createOrder({ customer: 'cy@example.org', enteredBy: 'ada', items })) as Order;
      expect(await store.findProduct('TEA-2')).toMatchObject({ stock: 0 });
      const cancelled = await Promise.all([store.cancelOrder(id), store.cancelOrder(id)]);
      expect(cancelled.filter((order) => order?.status === 'cancelled')).toHaveLength(1);
      expect(await store.findProduct('TEA-2')).toMatchObject({ stock: 3 });
      expect(await store.cancelOrder(999_999)).toBeUndefined();
    });
  });
}

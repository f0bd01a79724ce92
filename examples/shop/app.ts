import { createApp } from 'everywire';
import { cancelOrder, createOrder, listOrders } from './orders/orders.ts';
import { getInvoice } from './orders/invoice.ts';
import { addProduct, getProduct, listProducts } from './products/catalogue.ts';
import { importProducts } from './products/import.ts';
import { getPicture, setPicture } from './products/pictures.ts';
import { openStore } from './store/open-store.ts';
import { identify, staffOnly } from './staff.ts';

export default createApp({
  name: 'Shop',
  version: '1.0.0',
  description: 'A small shop: products, pictures, orders, invoices',
  tags: { products: 'What is for sale', orders: 'What was bought', staff: 'For staff only' },
  functions: [
    listProducts,
    getProduct,
    addProduct,
    importProducts,
    setPicture,
    getPicture,
    createOrder,
    listOrders,
    cancelOrder,
    getInvoice,
  ],
  middleware: [identify, staffOnly],
  // Before the first call: a database, if its address was passed with --env, or else the memory of this process.
  start: async ({ env, log }) => ({ store: await openStore(env.get('DATABASE_URL'), log) }),
  // After the last one. `store` is missing if `start` failed.
  stop: ({ store }) => store?.close(),
});

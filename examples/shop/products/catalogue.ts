import { Failure } from 'everywire';
import { z } from 'zod';
import { defineFunction } from '../define.ts';
import { STAFF } from '../staff.ts';
import { product, search, sku } from './schemas.ts';

export const listProducts = defineFunction({
  name: 'products.List',
  description: 'Lists the products',
  hints: { readOnly: true },
  http: { method: 'GET', path: '/products' },
  cli: { positional: ['search'], short: { limit: 'n' } },
  input: z.object({
    search: search.default('').describe('A part of the name'),
    limit: z.int().min(1).max(1000).default(100).describe('How many at most'),
  }),
  output: z.array(product).describe('The products, by SKU'),
  run: (input, { deps }) => deps.store.listProducts(input.search, input.limit),
});

export const getProduct = defineFunction({
  name: 'products.Get',
  description: 'Returns a product',
  hints: { readOnly: true },
  http: { method: 'GET', path: '/products/{sku}' },
  cli: { positional: ['sku'] },
  input: z.object({ sku: sku.describe('Which product') }),
  output: product.describe('The product'),
  errors: { NOT_FOUND: { description: 'There is no such product.' } },
  run: async (input, { deps }) =>
    (await deps.store.findProduct(input.sku)) ?? new Failure('NOT_FOUND', `There is no product ${input.sku}`),
});

export const addProduct = defineFunction({
  name: 'products.Add',
  description: 'Adds a product',
  tags: ['products', STAFF],
  input: product,
  output: product.describe('The product'),
  errors: { ALREADY_EXISTS: { description: 'There is a product with this SKU.', status: 409 } },
  run: async (input, { deps }) => {
    if (await deps.store.addProduct(input)) return input;
    throw new Failure('ALREADY_EXISTS', `There is a product ${input.sku} already`);
  },
});

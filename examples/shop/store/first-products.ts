import type { Product } from './store.ts';

/** What a new shop has for sale. */
export const firstProducts: readonly Product[] = [
  { sku: 'MUG-1', name: 'Mug, blue', price: 900, stock: 12 },
  { sku: 'TEA-1', name: 'Green tea, 100 g', price: 450, stock: 40 },
  { sku: 'TEA-2', name: 'Black tea, 100 g', price: 420, stock: 3 },
];

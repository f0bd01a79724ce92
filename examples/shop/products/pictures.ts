import { Failure, forms } from 'everywire';
import { z } from 'zod';
import { defineFunction } from '../define.ts';
import { STAFF } from '../staff.ts';
import { sku } from './schemas.ts';

const NOT_FOUND = { description: 'There is no such product, or it has no picture.' };

export const setPicture = defineFunction({
  name: 'products.SetPicture',
  description: 'Sets the picture of a product',
  tags: ['products', STAFF],
  hints: { idempotent: true },
  cli: { positional: ['sku', 'picture'] },
  input: z.object({
    sku: sku.describe('Which product'),
    picture: z.file().max(1_000_000).mime(['image/png', 'image/jpeg']).describe('A PNG or JPEG of at most 1 MB'),
  }),
  errors: { NOT_FOUND },
  run: async (input, { deps }) => {
    const { name, type } = input.picture;
    const bytes = new Uint8Array(await input.picture.arrayBuffer());
    const isSet = await deps.store.setPicture(input.sku, { name, type, bytes });
    if (!isSet) throw new Failure('NOT_FOUND', `There is no product ${input.sku}`);
  },
});

export const getPicture = defineFunction({
  name: 'products.Picture',
  description: 'Returns the picture of a product',
  hints: { readOnly: true },
  http: { method: 'GET', path: '/products/{sku}/picture' },
  cli: { positional: ['sku'] },
  input: z.object({ sku: sku.describe('Which product') }),
  output: { ...forms.file, description: 'The picture' },
  errors: { NOT_FOUND },
  run: async (input, { deps }) => {
    const picture = await deps.store.findPicture(input.sku);
    if (!picture) throw new Failure('NOT_FOUND', `There is no picture of ${input.sku}`);
    return new File([picture.bytes], picture.name, { type: picture.type });
  },
});

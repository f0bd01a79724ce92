import { createApp, defineFunction } from 'everywire';
import { z } from 'zod';

const setPicture = defineFunction({
  name: 'SetPicture',
  description: 'Sets the picture of a product',
  input: z.object({
    product: z.enum(['tea', 'mug']).describe('Of what'),
    picture: z.file().max(1_000_000).mime('image/png').describe('The picture'),
  }),
  output: z.object({ name: z.string().describe('File name'), size: z.int().describe('In bytes') }).describe('The file'),
  run: ({ picture }) => ({ name: picture.name, size: picture.size }),
});

export default createApp({ name: 'Shop', version: '1.0.0', functions: [setPicture] });

import { initTRPC } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { z } from 'zod';

const t = initTRPC.create();
const form = z.instanceof(FormData).transform((data) => Object.fromEntries(data));
const input = z.object({
  product: z.enum(['tea', 'mug']).describe('Of what'),
  picture: z.file().max(1_000_000).mime('image/png').describe('The picture'),
});

const router = t.router({
  picture: t.procedure
    .input(form.pipe(input))
    .output(z.object({ name: z.string().describe('File name'), size: z.int().describe('In bytes') }))
    .mutation(({ input: { picture } }) => ({ name: picture.name, size: picture.size })),
});

createHTTPServer({ router }).listen(Number(process.env.PORT));

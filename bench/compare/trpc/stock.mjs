import { initTRPC } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { z } from 'zod';
import { connect } from '../business/database.mjs';

const database = await connect();
const t = initTRPC.context().create();

const router = t.router({
  stock: t.procedure
    .input(z.object({ product: z.enum(['tea', 'mug']).describe('Of what') }))
    .output(z.object({ pieces: z.int().describe('How many') }))
    .query(async ({ input, ctx }) => ({ pieces: await ctx.database.stockOf(input.product) })),
});

const server = createHTTPServer({ router, createContext: () => ({ database }) });
server.listen(Number(process.env.PORT));

process.once('SIGTERM', () => server.close(() => database.close()));

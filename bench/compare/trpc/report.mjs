import { initTRPC } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { z } from 'zod';
import { salesOf } from '../business/sales.mjs';

const t = initTRPC.create();

const router = t.router({
  report: t.procedure
    .input(z.object({ months: z.int().min(1).max(12).describe('How many months') }))
    .subscription(async function* ({ input }) {
      yield* salesOf(input.months);
    }),
});

createHTTPServer({ router }).listen(Number(process.env.PORT));

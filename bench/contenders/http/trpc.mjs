import { initTRPC } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { input, result } from '../add-zod.mjs';
import { tellParent } from '../tell-parent.mjs';

const t = initTRPC.create();

const router = t.router({
  Add: t.procedure
    .input(input)
    .output(result)
    .mutation(({ input: { x, y } }) => x + y),
});

const server = createHTTPServer({ router });
server.listen(0, '127.0.0.1', () => tellParent(server.address().port));

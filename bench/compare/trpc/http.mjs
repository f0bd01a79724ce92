import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { router } from './quote.mjs';

createHTTPServer({ router }).listen(Number(process.env.PORT));

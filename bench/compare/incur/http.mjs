import { serve } from '@hono/node-server';
import { cli } from './quote.mjs';

serve({ fetch: cli.fetch, port: Number(process.env.PORT) });

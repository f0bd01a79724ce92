import { serve } from '@hono/node-server';
import { Cli, z } from 'incur';
import { connect } from '../business/database.mjs';

const database = await connect();

const cli = Cli.create('shop', { version: '1.0.0' }).command('stock', {
  description: 'How many pieces are left',
  options: z.object({ product: z.enum(['tea', 'mug']).describe('Of what') }),
  output: z.object({ pieces: z.int().describe('How many') }),
  run: async ({ options }) => ({ pieces: await database.stockOf(options.product) }),
});

const server = serve({ fetch: cli.fetch, port: Number(process.env.PORT) });

process.once('SIGTERM', () => server.close(() => database.close()));

import { serve } from '@hono/node-server';
import { Cli, z } from 'incur';
import { salesOf } from '../business/sales.mjs';

const cli = Cli.create('shop', { version: '1.0.0' }).command('report', {
  description: 'The sales of each month',
  options: z.object({ months: z.number().int().min(1).max(12).describe('How many months') }),
  async *run({ options }) {
    yield* salesOf(options.months);
  },
});

serve({ fetch: cli.fetch, port: Number(process.env.PORT) });

import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import { salesOf } from '../business/sales.mjs';

const app = new Hono();
const input = z.object({ months: z.int().min(1).max(12).describe('How many months') });

app.post('/report', zValidator('json', input), (c) =>
  streamSSE(c, async (stream) => {
    for await (const row of salesOf(c.req.valid('json').months)) await stream.writeSSE({ data: JSON.stringify(row) });
  }),
);

serve({ fetch: app.fetch, port: Number(process.env.PORT) });

import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { z } from 'zod';
import { connect } from '../business/database.mjs';

const database = await connect();
const app = new Hono();
const input = z.object({ product: z.enum(['tea', 'mug']).describe('Of what') });

app.post('/stock', zValidator('json', input), async (c) => {
  const { product } = c.req.valid('json');
  return c.json({ pieces: await database.stockOf(product) });
});

const server = serve({ fetch: app.fetch, port: Number(process.env.PORT) });

process.once('SIGTERM', () => server.close(() => database.close()));

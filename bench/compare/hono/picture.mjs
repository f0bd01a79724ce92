import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { z } from 'zod';

const app = new Hono();
const input = z.object({
  product: z.enum(['tea', 'mug']).describe('Of what'),
  picture: z.file().max(1_000_000).mime('image/png').describe('The picture'),
});

app.post('/picture', zValidator('form', input), (c) => {
  const { picture } = c.req.valid('form');
  return c.json({ name: picture.name, size: picture.size });
});

serve({ fetch: app.fetch, port: Number(process.env.PORT) });

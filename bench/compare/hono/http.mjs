import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { input, quote } from './quote.mjs';

const app = new Hono();

app.post('/quote', zValidator('json', input), (c) => c.json(quote(c.req.valid('json'))));

serve({ fetch: app.fetch, port: Number(process.env.PORT) });

import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { input } from '../add-zod.mjs';
import { tellParent } from '../tell-parent.mjs';

const app = new Hono();

app.post('/functions/Add', zValidator('json', input), (context) => {
  const { x, y } = context.req.valid('json');
  return context.json({ result: x + y });
});

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => tellParent(port));

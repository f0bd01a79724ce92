import { zValidator } from '@hono/zod-validator';
import { FastMCP } from 'fastmcp';
import { z } from 'zod';

const server = new FastMCP({ name: 'Shop', version: '1.0.0' });
const input = z.object({
  product: z.enum(['tea', 'mug']).describe('Of what'),
  picture: z.file().max(1_000_000).mime('image/png').describe('The picture'),
});

server.getApp().post('/picture', zValidator('form', input), (c) => {
  const { picture } = c.req.valid('form');
  return c.json({ name: picture.name, size: picture.size });
});

await server.start({ transportType: 'httpStream', httpStream: { port: Number(process.env.PORT) } });

import { zValidator } from '@hono/zod-validator';
import { input, quote, server } from './quote.mjs';

server.getApp().post('/quote', zValidator('json', input), (c) => c.json(quote(c.req.valid('json'))));

await server.start({ transportType: 'httpStream', httpStream: { port: Number(process.env.PORT) } });

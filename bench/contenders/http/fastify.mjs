import fastify from 'fastify';
import { tellParent } from '../tell-parent.mjs';

// By default Fastify turns "1.9" into a number and null into 0; the others refuse what is no integer.
const app = fastify({ ajv: { customOptions: { coerceTypes: false } } });

const integer = { type: 'integer' };

app.post('/functions/Add', {
  schema: {
    body: { type: 'object', properties: { x: integer, y: integer }, required: ['x', 'y'] },
    response: { 200: { type: 'object', properties: { result: integer }, required: ['result'] } },
  },
  handler: async ({ body: { x, y } }) => ({ result: x + y }),
});

await app.listen({ port: 0, host: '127.0.0.1' });
tellParent(app.server.address().port);

import { createServer } from 'node:http';
import { OpenAPIHandler } from '@orpc/openapi/node';
import { os } from '@orpc/server';
import { input, output } from '../add-zod.mjs';
import { tellParent } from '../tell-parent.mjs';

const add = os
  .route({ method: 'POST', path: '/functions/Add' })
  .input(input)
  .output(output)
  .handler(({ input: { x, y } }) => ({ result: x + y }));

const handler = new OpenAPIHandler({ add });

const server = createServer(async (request, response) => {
  const { matched } = await handler.handle(request, response);
  if (!matched) response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => tellParent(server.address().port));

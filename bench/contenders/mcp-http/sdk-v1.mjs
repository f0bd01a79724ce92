import { createServer as createHttpServer } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createServer } from '../sdk-v1.mjs';
import { tellParent } from '../tell-parent.mjs';

const server = createHttpServer(async (request, response) => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on('close', () => void transport.close());
  await createServer().connect(transport);
  await transport.handleRequest(request, response);
});
server.listen(0, '127.0.0.1', () => tellParent(server.address().port));

import { createServer as createHttpServer } from 'node:http';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createServer } from '../sdk-v2.mjs';
import { tellParent } from '../tell-parent.mjs';

const isHost = localhostHostValidation();
const isOrigin = localhostOriginValidation();
const handle = toNodeHandler(createMcpHandler(createServer));

const server = createHttpServer((request, response) => {
  // What its documentation asks of a bare node:http server, and what everywire does too.
  if (isHost(request, response) && isOrigin(request, response)) void handle(request, response);
});
server.listen(0, '127.0.0.1', () => tellParent(server.address().port));

import { createServer } from 'node:http';
import { answer } from '../mcp-by-hand.mjs';
import { tellParent } from '../tell-parent.mjs';

const server = createServer((request, response) => {
  if (request.method !== 'POST' || request.url !== '/mcp') return response.writeHead(404).end();
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  return request.on('end', () => reply(response, Buffer.concat(chunks).toString()));
});

function reply(response, text) {
  const body = answer(text);
  if (body === undefined) return response.writeHead(202).end();
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return response.writeHead(200, headers).end(body);
}

server.listen(0, '127.0.0.1', () => tellParent(server.address().port));

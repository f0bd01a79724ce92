// The limit: no framework at all, and nothing done that the job does not ask for.
import { createServer } from 'node:http';
import { tellParent } from '../tell-parent.mjs';

const server = createServer((request, response) => {
  if (request.method !== 'POST' || request.url !== '/functions/Add')
    return reply(response, 404, '{"error":"not found"}');
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const input = parse(Buffer.concat(chunks).toString());
    if (!Number.isInteger(input?.x) || !Number.isInteger(input?.y)) {
      return reply(response, 400, '{"error":"x and y must be integers"}');
    }
    return reply(response, 200, `{"result":${input.x + input.y}}`);
  });
});

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reply(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

server.listen(0, '127.0.0.1', () => tellParent(server.address().port));

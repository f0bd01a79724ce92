// The limit: as many functions in a map, and nothing done that the job does not ask for.
import { createServer } from 'node:http';
import { tellParent } from '../tell-parent.mjs';

const count = Number(process.argv[2]);
const isAddable = ({ x, y }) => Number.isInteger(x) && Number.isInteger(y);

const functions = new Map([
  ['/functions/Echo', { accepts: ({ text }) => typeof text === 'string', run: ({ text }) => text }],
]);
for (let i = 1; i <= count; i++) {
  functions.set(`/functions/Add${i}`, { accepts: isAddable, run: ({ x, y }) => x + y });
}

const server = createServer((request, response) => {
  const called = functions.get(request.url);
  if (request.method !== 'POST' || !called) return reply(response, 404, '{"error":"not found"}');
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  return request.on('end', () => {
    const input = JSON.parse(Buffer.concat(chunks).toString());
    if (!called.accepts(input)) return reply(response, 400, '{"error":"invalid arguments"}');
    return reply(response, 200, JSON.stringify({ result: called.run(input) }));
  });
});

function reply(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

server.listen(0, '127.0.0.1', () => tellParent(server.address().port));

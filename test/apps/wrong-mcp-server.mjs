// An MCP server, written by hand, that does wrong what can be done wrong. On stdio, or with --http on a port that it prints.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const text = (value) => [{ type: 'text', text: value }];
const object = (properties, required = []) => ({ type: 'object', properties, required });
const number = { type: 'number' };

const result = (content, more = {}) => ({ content, ...more, isError: false });
const harmless = (run, more = {}) => ({ annotations: { readOnlyHint: true }, inputSchema: object({}), ...more, run });

const tools = {
  mismatch: harmless(() => result(text('5'), { structuredContent: { sum: 6 } })),
  schema: harmless(() => result(text('{"sum":"six"}'), { structuredContent: { sum: 'six' } }), {
    outputSchema: object({ sum: number }, ['sum']),
  }),
  careless: harmless(({ x }) => result(text(`x is ${x}`)), { inputSchema: object({ x: number }, ['x']) }),
  picture: harmless(() => result([{ type: 'image', url: 'a.png' }])),
  envelope: harmless(() => result(text('{"success":true,"content":[{"text":"no type"}]}'))),
  breaks: harmless(() => {
    throw { code: -32603, message: 'boom' };
  }),
  silent: harmless(() => undefined),
  deletes: { inputSchema: object({}), run: () => process.exit(9) }, // nobody said that it is safe
};

function answer({ id, method, params }) {
  if (id === undefined) return undefined;
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'wrong', version: '1' };
    return { id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
  }
  if (method === 'tools/list') {
    return { id, result: { tools: Object.entries(tools).map(([name, tool]) => ({ name, ...tool, run: undefined })) } };
  }
  if (method !== 'tools/call') return { id, error: { code: -32601, message: 'Method not found' } };
  const tool = tools[params.name];
  if (!tool) return { id, result: { content: text('Error: no such tool') } };
  try {
    const returned = tool.run(params.arguments ?? {});
    return returned && { id, result: returned };
  } catch (error) {
    return { id, error };
  }
}

if (process.argv.includes('--http')) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const said = request.method === 'POST' ? answer(JSON.parse(body)) : undefined;
      const json = { 'content-type': 'application/json' };
      if (said) response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', ...said }));
      else if (request.method !== 'POST') response.writeHead(405).end();
      else if (!('id' in JSON.parse(body))) response.writeHead(202).end();
      // else never: this is the silent one
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
} else {
  console.log('Wrong server is ready!');
  createInterface({ input: process.stdin }).on('line', (line) => {
    const said = answer(JSON.parse(line));
    if (said) console.log(JSON.stringify({ jsonrpc: '2.0', ...said }));
  });
}

// An MCP server, written by hand, that does wrong what can be done wrong. On stdio, or with --http on a port that it prints.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const text = (value) => [{ type: 'text', text: value }];
const readOnly = { readOnlyHint: true };
const object = (properties, required = []) => ({ type: 'object', properties, required });
const number = { type: 'number' };

const tools = {
  mismatch: {
    annotations: readOnly,
    inputSchema: object({}),
    run: () => ({ content: text('5'), structuredContent: { sum: 6 }, isError: false }),
  },
  schema: {
    annotations: readOnly,
    inputSchema: object({}),
    outputSchema: object({ sum: number }, ['sum']),
    run: () => ({ content: text('{"sum":"six"}'), structuredContent: { sum: 'six' }, isError: false }),
  },
  careless: {
    annotations: readOnly,
    inputSchema: object({ x: number }, ['x']),
    run: ({ x }) => ({ content: text(`x is ${x}`), isError: false }),
  },
  picture: {
    annotations: readOnly,
    inputSchema: object({}),
    run: () => ({ content: [{ type: 'image', url: 'a.png' }], isError: false }),
  },
  envelope: {
    annotations: readOnly,
    inputSchema: object({}),
    run: () => ({ content: text('{"success":true,"content":[{"text":"no type"}]}'), isError: false }),
  },
  breaks: {
    annotations: readOnly,
    inputSchema: object({}),
    run: () => {
      throw { code: -32603, message: 'boom' };
    },
  },
  silent: { annotations: readOnly, inputSchema: object({}), run: () => undefined },
  deletes: {
    inputSchema: object({}),
    run: () => process.exit(9), // nobody said that it is safe
  },
};

function answer({ id, method, params }) {
  if (id === undefined) return undefined;
  if (method === 'initialize') {
    const { protocolVersion } = params;
    return {
      id,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'wrong', version: '1' } },
    };
  }
  if (method === 'tools/list') {
    return { id, result: { tools: Object.entries(tools).map(([name, tool]) => ({ name, ...tool, run: undefined })) } };
  }
  if (method !== 'tools/call') return { id, error: { code: -32601, message: 'Method not found' } };
  const tool = tools[params.name];
  if (!tool) return { id, result: { content: text('Error: no such tool') } };
  try {
    const result = tool.run(params.arguments ?? {});
    return result && { id, result };
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
      if (said)
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', ...said }));
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

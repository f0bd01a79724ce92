import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, ProtocolError, Server } from '@modelcontextprotocol/server';
import type { App } from 'everywire';

/** An app behind a server of the MCP SDK, like a hand-written one. Its bodies have the mcp profile. */
function mcpServerOf(app: App): Server {
  const server = new Server({ name: app.name, version: app.version }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => ({
    tools: app.functions.map((fn) => ({
      name: fn.operationId,
      title: fn.title,
      description: fn.description,
      inputSchema: fn.inputSchema as { type: 'object' },
      outputSchema: app.profiles.plain.successSchema(fn.returned) as { type: 'object' },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const call = { name: params.name, input: params.arguments, caller: { wire: 'mcp' } };
    const { outcome, body } = await app.respond(call, app.profiles.mcp);
    if (!outcome.ok && outcome.error.code === 'FUNCTION_NOT_FOUND') {
      throw new ProtocolError(-32602, outcome.error.message, { code: outcome.error.code });
    }
    return JSON.parse(body) as { content: [] };
  });
  return server;
}

/** The same over Streamable HTTP, on a free port, in both revisions. */
export async function serveMcp(app: App): Promise<{ url: string; close(): Promise<void> }> {
  const handler = toNodeHandler(createMcpHandler(() => mcpServerOf(app)));
  const server = createServer((request, response) => void handler(request as never, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server as McpServer, ProtocolError } from '@modelcontextprotocol/server';
import type { App } from 'everywire';
import { startServer } from '../access/issuer.ts';
import type { Server } from '../access/issuer.ts';

/** An app behind a server of the MCP SDK, like a hand-written one. Its bodies have the mcp profile. */
function mcpServerOf(app: App): McpServer {
  const server = new McpServer({ name: app.name, version: app.version }, { capabilities: { tools: {} } });
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
export async function serveMcp(app: App): Promise<Server> {
  const handler = toNodeHandler(createMcpHandler(() => mcpServerOf(app)));
  const server = await startServer((request, response) => void handler(request as never, response));
  return { ...server, url: `${server.url}/mcp` };
}

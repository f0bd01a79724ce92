import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { add } from './add.mjs';
import { input, output } from './add-zod.mjs';

/** One server for each connection, and for each request where there are no sessions: it keeps its transport. */
export function createServer() {
  const server = new McpServer({ name: 'Bench', version: '1.0.0' });
  const config = { description: add.description, inputSchema: input, outputSchema: output };
  server.registerTool(add.name, config, ({ x, y }) => {
    const structuredContent = { result: x + y };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  });
  return server;
}

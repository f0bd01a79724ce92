import { McpServer } from '@modelcontextprotocol/server';
import { add } from './add.mjs';
import { input, output } from './add-zod.mjs';

/** The official SDK takes a factory: a fresh server for every connection, or for every request over HTTP. */
export function createServer() {
  const server = new McpServer({ name: 'Bench', version: '1.0.0' });
  const config = { description: add.description, inputSchema: input, outputSchema: output };
  server.registerTool(add.name, config, ({ x, y }) => {
    const structuredContent = { result: x + y };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  });
  return server;
}

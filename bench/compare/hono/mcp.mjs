import { StreamableHTTPTransport } from '@hono/mcp';
import { serve } from '@hono/node-server';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Hono } from 'hono';
import { z } from 'zod';
import { input, quote } from './quote.mjs';

const mcp = new McpServer({ name: 'Shop', version: '1.0.0' });
const output = z.object({ total: z.int().describe('In cents') });

const config = { description: 'The price of an order', inputSchema: input, outputSchema: output };

mcp.registerTool('quote', config, (args) => {
  const structuredContent = quote(args);
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
});

const app = new Hono();
const transport = new StreamableHTTPTransport();

app.all('/mcp', async (c) => {
  if (!mcp.isConnected()) await mcp.connect(transport);
  return transport.handleRequest(c);
});

serve({ fetch: app.fetch, port: Number(process.env.PORT) });

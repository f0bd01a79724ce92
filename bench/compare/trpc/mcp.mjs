import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { input, output, router } from './quote.mjs';

const caller = router.createCaller({});
const mcp = new McpServer({ name: 'Shop', version: '1.0.0' });
const config = { description: 'The price of an order', inputSchema: input, outputSchema: output };

mcp.registerTool('quote', config, async (args) => {
  const structuredContent = await caller.quote(args);
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
});

await mcp.connect(new StdioServerTransport());

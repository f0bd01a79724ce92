import { expect, expectEqual } from './expect.mjs';
import { withMcpClient } from './with-mcp-client.mjs';

export function checkMcp(way) {
  return withMcpClient(way, async (client) => {
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === way.tool);
    expect(tool, `there is no tool ${way.tool} among ${tools.map(({ name }) => name).join(', ')}`);
    expectEqual(Object.keys(tool.inputSchema.properties), ['product', 'quantity'], 'the parameters');
    const right = await client.callTool({ name: way.tool, arguments: { product: 'tea', quantity: 3 } });
    expectEqual(way.unwrap(JSON.parse(right.content[0].text)), { total: 750 }, 'the result');
    const wrong = await client
      .callTool({ name: way.tool, arguments: { product: 'tea', quantity: 0 } })
      .catch((error) => ({
        isError: error.code === -32602,
      }));
    expect(wrong.isError, `a wrong argument was answered with ${JSON.stringify(wrong)}`);
  });
}

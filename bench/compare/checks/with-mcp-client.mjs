import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { environment } from '../../measure/children.mjs';
import { withServer } from './with-server.mjs';

/** Connects the client of the MCP SDK to a server on stdio, or to one at a path of an HTTP server. */
export function withMcpClient(way, use) {
  if (way.mcpPath === undefined) {
    const args = way.run();
    const transport = new StdioClientTransport({ command: process.execPath, args, env: environment, stderr: 'ignore' });
    return connected(transport, use);
  }
  return withServer(way, (server) =>
    connected(new StreamableHTTPClientTransport(new URL(server.origin + way.mcpPath)), use, server),
  );
}

async function connected(transport, use, server) {
  const client = new Client({ name: 'compare', version: '1.0.0' });
  await client.connect(transport);
  try {
    return await use(client, server);
  } finally {
    await client.close();
  }
}

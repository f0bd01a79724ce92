import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { version } from '../version.ts';
import type { ClientOptions } from './client.ts';
import type { McpClient } from './mcp-connection.ts';

/** Connects over Streamable HTTP, in whichever revision the server speaks. */
export async function dialMcp(url: URL, { headers, fetch }: ClientOptions): Promise<McpClient> {
  const client = new Client({ name: 'everywire', version }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StreamableHTTPClientTransport(url, {
    ...(headers && { requestInit: { headers } }),
    ...(fetch && { fetch }),
  });
  await client.connect(transport);
  return client;
}

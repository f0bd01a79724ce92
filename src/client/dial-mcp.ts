import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { version } from '../version.ts';
import type { ClientOptions } from './client.ts';
import { guardedFetch } from './guarded-fetch.ts';
import type { McpClient } from './mcp-connection.ts';

/** Connects over Streamable HTTP, with the MCP revision that the server supports. */
export async function dialMcp(url: URL, options: ClientOptions): Promise<McpClient> {
  const { headers } = options;
  const client = new Client({ name: 'everywire', version }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StreamableHTTPClientTransport(url, {
    ...(headers && { requestInit: { headers } }),
    fetch: guardedFetch(url, options),
  });
  await client.connect(transport);
  return client;
}

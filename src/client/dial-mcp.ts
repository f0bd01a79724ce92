import { importMcpClient } from '#optional';
import { Failure } from '../core/failure.ts';
import { isRecord } from '../schema/json-schema.ts';
import { version } from '../version.ts';
import type { ClientOptions } from './client.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { withoutSession } from './mcp-connection.ts';
import type { McpClient } from './mcp-connection.ts';

/** Connects over Streamable HTTP, with the MCP revision that the server supports. */
export async function dialMcp(url: URL, options: ClientOptions): Promise<McpClient> {
  const { Client, StreamableHTTPClientTransport } = await importMcpClient().catch(() => {
    throw new Failure('UNAVAILABLE', 'MCP needs a package: npm install @modelcontextprotocol/client', { retry: false });
  });
  const { headers } = options;
  let refusal: Failure | undefined;
  const client = new Client({ name: 'everywire', version }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StreamableHTTPClientTransport(url, {
    ...(headers && { requestInit: { headers } }),
    fetch: throwingRefusals(noticingSessions(guardedFetch(url, options), client), (failure) => (refusal = failure)),
  });
  await client.connect(transport).catch((thrown: unknown) => {
    throw refusal ?? thrown; // the SDK wraps what fetch throws
  });
  return client;
}

/** The server answers with 404 to the id of a session that it does not know; the client must then start a new one. */
function noticingSessions(send: typeof fetch, client: McpClient): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.status === 404 && new Headers(init?.headers).has('mcp-session-id')) withoutSession.add(client);
    return response;
  };
}

const REFUSALS: ReadonlyMap<number, [code: string, message: string]> = new Map([
  [401, ['UNAUTHENTICATED', 'The server requires authentication']],
  [403, ['FORBIDDEN', 'The server refuses the request']],
]);

/** The SDK would report a refused call as if the server could not be reached. */
function throwingRefusals(send: typeof fetch, onRefusal: (failure: Failure) => void): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const refusal = REFUSALS.get(response.status);
    if (!refusal) return response;
    const body: unknown = await response.json().catch(() => undefined);
    const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
    const details = isRecord(error['data']) ? error['data']['details'] : undefined;
    const message = typeof error['message'] === 'string' ? error['message'] : refusal[1];
    const failure = new Failure(refusal[0], message, { details, retry: false });
    onRefusal(failure);
    throw failure;
  };
}

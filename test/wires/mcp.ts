import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { AppName, Behaviour, Wire } from '../every-wire.ts';
import { servedApp } from './http.ts';
import { oneOf } from './one-of.ts';
import { appOf, perApp } from './process.ts';
import { openStdio } from './stdio.ts';

type Revision = '2025-11-25' | '2026-07-28';
type Connect = (app: AppName) => Promise<Transport>;

/** Why a behaviour cannot be tested over MCP. */
function cannot({ send, profile }: Behaviour): string | undefined {
  if ('body' in send) return 'the client sends values, not bytes';
  if (profile !== undefined) return 'MCP has one form for its results';
  const { arguments: given } = send;
  const isObject = given === undefined || (typeof given === 'object' && given !== null && !Array.isArray(given));
  return isObject ? undefined : 'the client sends no arguments but objects';
}

/** Uses the client of the MCP SDK, in one revision of the protocol. */
function createMcpWire(name: Wire['name'], revision: Revision, connect: Connect): Wire {
  const clients = perApp(async (app) => {
    const mode = revision === '2026-07-28' ? 'auto' : 'legacy';
    const client = new Client({ name: 'behaviours', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(await connect(app));
    if (client.getNegotiatedProtocolVersion() !== revision) throw new Error(`not ${revision}`);
    return client;
  });

  return {
    name,
    cannot,
    async call(app, fn, send) {
      const given = (send as { arguments?: Record<string, unknown> }).arguments;
      const client = await clients.of(app);
      try {
        const result = await client.callTool({ name: fn, ...(given && { arguments: given }) });
        const [first] = result.content as { text?: string }[];
        const meta = result._meta?.['everywire/error'] as { code?: string } | undefined;
        return { body: first?.text ?? '', ...(meta?.code && { code: meta.code }) };
      } catch (thrown) {
        // A JSON-RPC error has the message and the code; the body of the other wires is made from it.
        const { message, data } = thrown as { message: string; data?: { code?: string } };
        return { body: JSON.stringify({ error: message }), ...(data?.code && { code: data.code }) };
      }
    },
    close: () => clients.close((client) => client.close()),
  };
}

const overHttp: Connect = async (app) =>
  new StreamableHTTPClientTransport(new URL(`${(await servedApp(app)).url}/mcp`)) as Transport;

/** Streams of this process. That of the SDK starts a process, as test/mcp/features.test.ts does. */
const onStdio: Connect = async (app) => {
  const session = openStdio(await appOf(app));
  const transport: Transport = {
    start: async () => session.onLine((line) => transport.onmessage?.(JSON.parse(line) as JSONRPCMessage)),
    send: async (message) => session.write(JSON.stringify(message)),
    async close() {
      await session.close();
      transport.onclose?.();
    },
  };
  return transport;
};

/** They take turns: the raw wires send every behaviour as well. */
export const mcpWires: readonly Wire[] = [
  createMcpWire('mcp-http', '2026-07-28', overHttp),
  createMcpWire('mcp-http-2025', '2025-11-25', overHttp),
  createMcpWire('mcp-stdio', '2026-07-28', onStdio),
  createMcpWire('mcp-stdio-2025', '2025-11-25', onStdio),
].map((wire, turn, wires) => oneOf(wires.length, turn, wire));

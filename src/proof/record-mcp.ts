import { importMcpClient } from '#optional';
import type { StreamableHTTPClientTransport as HttpTransport } from '@modelcontextprotocol/client';
import { guardedFetch } from '../client/guarded-fetch.ts';
import type { McpClient } from '../client/mcp-connection.ts';
import { version } from '../version.ts';
import { UnreachableError } from './finding.ts';
import { StdioTransport } from './stdio-transport.ts';

/** A URL, or a program with its arguments. */
export type Target = readonly [URL] | readonly [string, ...string[]];

/** Everything that was sent and received. */
export interface Recorded {
  readonly messages: unknown[];
  /** Lines that are not messages. */
  readonly strays: string[];
}

interface Options {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number;
}

/** Connects to an MCP server, with the revision that it supports, and records all messages. */
export async function recordMcp(target: Target, { headers, timeout }: Options) {
  const { Client, StreamableHTTPClientTransport } = await importMcpClient().catch(() => {
    throw new UnreachableError('MCP needs a package: npm install @modelcontextprotocol/client');
  });
  const recorded: Recorded = { messages: [], strays: [] };
  const client = new Client({ name: 'everywire audit', version }, { versionNegotiation: { mode: 'auto' } });
  const transport = isAddress(target)
    ? new StreamableHTTPClientTransport(target[0], {
        requestInit: { headers },
        fetch: guardedFetch(target[0], { headers }),
      })
    : new StdioTransport(target, (line) => void recorded.strays.push(line));
  tap(transport, recorded.messages);
  await client.connect(transport as HttpTransport, { timeout });
  return { client: client as McpClient, recorded };
}

function isAddress(target: Target): target is readonly [URL] {
  return target[0] instanceof URL;
}

interface Tapped {
  send(message: unknown, ...rest: unknown[]): Promise<void>;
}

/** Records all messages, before the client reads them. */
function tap(transport: Tapped, messages: unknown[]): void {
  const send = transport.send.bind(transport);
  transport.send = (message, ...rest) => {
    messages.push(message);
    return send(message, ...rest);
  };
  let listen: ((message: unknown, ...rest: unknown[]) => void) | undefined;
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => listen,
    set(listener: typeof listen) {
      listen =
        listener &&
        ((message, ...rest) => {
          messages.push(message);
          listener(message, ...rest);
        });
    },
  });
}

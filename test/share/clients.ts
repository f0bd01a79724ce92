import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

const textOf = (result: unknown) =>
  JSON.parse((result as { content: { text: string }[] }).content[0]!.text).result as string | number;
const NAME = { name: 'test', version: '1' };
const YES = async () => ({ action: 'accept' as const, content: { yes: true } });

export interface Subject {
  call(name: string, given?: object, signal?: AbortSignal): Promise<string | number>;
  list(): Promise<number>;
  subscribe(uri: string): Promise<unknown>;
  /** What the client was notified of. */
  readonly notified: string[];
  close(): Promise<unknown>;
}

/** The official clients: 2.x in both revisions, and 1.x. */
export const CLIENTS: Record<string, (url: string) => Promise<Subject>> = {
  '2.x, 2026-07-28': (url) => connect(url, 'auto'),
  '2.x, 2025-11-25': (url) => connect(url, 'legacy'),
  '1.x': connectV1,
};

async function connect(url: string, mode: 'auto' | 'legacy'): Promise<Subject> {
  const notified: string[] = [];
  const client = new Client(NAME, { capabilities: { elicitation: {} }, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', YES);
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void notified.push(params.uri));
  client.setNotificationHandler('notifications/tools/list_changed', () => void notified.push('tools'));
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`));
  await client.connect(transport);
  const uris: string[] = [];
  const listen = async () => client.listen({ toolsListChanged: true, resourceSubscriptions: uris });
  const listening = mode === 'auto' ? await listen() : undefined;
  return {
    notified,
    call: async (name, given = {}, signal) =>
      textOf(await client.callTool({ name: `functions.${name}`, arguments: { ...given } }, signal && { signal })),
    list: async () => (await client.listTools()).tools.length,
    subscribe: async (uri) => {
      if (mode === 'legacy') return client.subscribeResource({ uri });
      uris.push(uri);
      await listening?.close();
      return listen();
    },
    close: async () => {
      if (mode === 'legacy') await transport.terminateSession();
      await client.close();
    },
  };
}

async function connectV1(url: string): Promise<Subject> {
  const notified: string[] = [];
  const client = new ClientV1(NAME, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, YES);
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void notified.push(params.uri));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void notified.push('tools'));
  const transport = new TransportV1(new URL(`${url}/mcp`));
  await client.connect(transport as never);
  return {
    notified,
    call: async (name, given = {}, signal) => {
      const asked = { name: `functions.${name}`, arguments: { ...given } };
      return textOf(await client.callTool(asked, undefined, signal && { signal }));
    },
    list: async () => (await client.listTools()).tools.length,
    subscribe: (uri) => client.subscribeResource({ uri }),
    close: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

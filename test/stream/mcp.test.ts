import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { serve } from 'everywire/node';
import type { NodeHost } from 'everywire/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import app from '../apps/streams.ts';
import { INITIALIZE, messagesIn, modern } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { openStdio } from '../wires/stdio.ts';

let host: NodeHost;
beforeAll(async () => {
  host = await serve(app, { port: 0 });
});
afterAll(() => host.drain());

const steps = { name: 'functions.Steps', arguments: {}, _meta: { progressToken: 'p' } };

interface Heard {
  readonly params?: { readonly progress: number; readonly total?: number; readonly message?: string };
}

describe('progress and chunks', () => {
  it(proves('stream.progress', 'increase together, as the protocol requires'), async () => {
    const messages = (await messagesIn(await modern(app, { method: 'tools/call', params: steps }))) as Heard[];
    const notified = messages.flatMap(({ params }) => params ?? []);
    expect(notified.map(({ message, total }) => [message, total])).toEqual([
      ['a', undefined],
      ['two', 3],
      ['b', undefined],
      [undefined, 3],
    ]);
    expect(notified.map(({ progress }) => progress)).toEqual([1, 2, 2.000000001, 3]);
  });

  it(proves('stream.chunks', 'are sent only to clients with a token, and only the response to others'), async () => {
    const session = openStdio(app);
    const messages: { id?: number }[] = [];
    session.onLine((line) => messages.push(JSON.parse(line) as { id?: number }));
    session.write(JSON.stringify(INITIALIZE));
    const params = { ...steps, _meta: undefined };
    session.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    await session.close();
    expect(messages.map(({ id }) => id)).toEqual([0, 1]);
  });

  it(proves('stream.chunks', 'reach the progress callback of the MCP SDK'), async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${host.url}/mcp`)));
    const heard: { message?: string | undefined }[] = [];
    const result = await client
      .callTool(
        { name: 'functions.Endless', arguments: { file: '/dev/null' } },
        {
          signal: AbortSignal.timeout(300),
          onprogress: (progress) => heard.push(progress),
        },
      )
      .catch((error: unknown) => error);
    expect(result).toBeInstanceOf(Error);
    expect(heard.slice(0, 3)).toEqual(
      [1, 2, 3].map((n) => ({ progress: n, message: String(n), _meta: { 'everywire/chunk': n } })),
    );
    await client.close();
  });
});

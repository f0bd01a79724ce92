import { once } from 'node:events';
import { request as ask } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { startServing } from '../kit/served.ts';
import type { Served } from '../kit/served.ts';

let served: Served;
beforeAll(async () => {
  served = await startServing('test/apps/slow-reader.ts');
});
afterAll(() => served.stop());

const LEGACY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const PREFIX = 'io.modelcontextprotocol/';
const envelope = {
  [`${PREFIX}protocolVersion`]: '2026-07-28',
  [`${PREFIX}clientInfo`]: { name: 'test', version: '1' },
  [`${PREFIX}clientCapabilities`]: {},
  [`${PREFIX}logLevel`]: 'debug',
};

const call = (id: unknown, name: string, given: object, meta?: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given, ...(meta && { _meta: meta }) },
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${served.url}/mcp`, {
    method: 'POST',
    headers: { ...LEGACY, ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });

/** A session of revision 2025-11-25: the client declares elicitation, so it needs one. */
async function session(): Promise<Record<string, string>> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'test', version: '1' },
  };
  const response = await post({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params });
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id')!, 'mcp-protocol-version': '2025-11-25' };
}

interface Reply {
  readonly id: unknown;
  readonly result?: { readonly structuredContent: { readonly result: unknown } };
  readonly error?: { readonly code: number; readonly message: string };
}

describe('equal ids at once', () => {
  it(proves('mcp.answers', 'in a session: the second is refused, and the first gets its own response'), async () => {
    const headers = await session();
    const first = post(call(1, 'functions_Wait', { ms: 700 }), headers);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const second = await post(call(1, 'functions_Echo', { text: 'other' }), headers);
    const refused = (await second.json()) as Reply;
    expect(refused).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(refused.error?.message).toContain('pending');
    expect(((await (await first).json()) as Reply).result?.structuredContent).toEqual({ result: 700 });
    // Then the id can be used again.
    const third = (await (await post(call(1, 'functions_Echo', { text: 'x' }), headers)).json()) as Reply;
    expect(third.result?.structuredContent).toEqual({ result: 'x' });
  });

  it(proves('mcp.answers', 'in a session, all at once: each gets a response'), async () => {
    const headers = await session();
    const replies = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const response = await post(call('same', 'functions_Wait', { ms: 1000 }), headers);
        return (await response.json()) as Reply;
      }),
    );
    expect(replies.filter(({ result }) => result)).toHaveLength(1);
    expect(replies.filter(({ error }) => error?.code === -32600)).toHaveLength(19);
  });

  it.each([
    ['two requests of one id', [call(1, 'functions_Echo', { text: 'a' }), call(1, 'functions_Echo', { text: 'b' })]],
    [
      'a request and its cancellation',
      [
        call(1, 'functions_Wait', { ms: 50 }),
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      ],
    ],
  ])(proves('mcp.answers', 'a batch of %s is refused as a whole'), async (_what, batch) => {
    const response = await post(batch);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32600 } });
  });

  it(proves('mcp.cancel', 'a cancelled call in a session ends its stream, and frees its id'), async () => {
    const headers = await session();
    const cancelled = post(call(1, 'functions_Never', {}), headers);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, headers);
    expect(await (await cancelled).text()).toBe('');
    const next = (await (await post(call(1, 'functions_Echo', { text: 'x' }), headers)).json()) as Reply;
    expect(next.result?.structuredContent).toEqual({ result: 'x' });
  });
});

describe('a reader that stalls', { timeout: 60_000 }, () => {
  it.each(['2025-11-25', '2025-11-25 in a session', '2026-07-28'])(
    proves('mcp.answers', 'over HTTP, log messages are dropped beyond a limit, the response is not; %s'),
    async (revision) => {
      const isModern = revision === '2026-07-28';
      const headers = isModern
        ? { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': 'functions_Chatter' }
        : revision.endsWith('session')
          ? await session()
          : {};
      const sent = ask(`${served.url}/mcp`, { method: 'POST', headers: { ...LEGACY, ...headers } });
      const meta = { progressToken: 7, ...(isModern && envelope) };
      sent.end(JSON.stringify(call(1, 'functions_Chatter', { megabytes: 64, id: revision }, meta)));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      while (!served.stderr().includes(`${revision} has logged`))
        await new Promise((resolve) => setTimeout(resolve, 20));
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      // Everything that was kept is written in the end: of 64 MB, only what the buffers hold.
      expect(text.length).toBeLessThan(16_000_000);
      expect(text.length).toBeGreaterThan(500_000);
      expect(text).toContain('"structuredContent":{"result":64}');
    },
  );
});

import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { asJson } from '../kit/as-json.ts';

export interface Differences {
  /** Why a call that the client aborts cannot be seen to end. */
  readonly noAbort?: string;
}

/** Everything that an embedded app must do, over the network. `url` is that of the app, with its prefix. */
export async function expectServed(url: string, { noAbort }: Differences = {}): Promise<void> {
  const base = new URL(url).pathname.replace(/\/$/, '');
  await expectCalls(url);
  await expectDocument(url, base || '/');
  await expectMcp(url);
  if (!noAbort) await expectAbort(url);
}

const post = (url: string, name: string, body: unknown, signal?: AbortSignal) =>
  fetch(`${url}/functions/${name}`, { ...asJson(body), ...(signal && { signal }) });

async function call(url: string, name: string, body: unknown): Promise<unknown> {
  const response = await post(url, name, body);
  return [response.status, response.headers.get('everywire-error-code'), await response.json()];
}

async function expectCalls(url: string): Promise<void> {
  expect(await call(url, 'Add', { x: 1, y: '2' })).toEqual([200, null, { result: 3 }]);
  expect(await call(url, 'Refuse', {})).toEqual([409, 'NOT_TODAY', { error: 'Not today' }]);
  expect(await call(url, 'Add', { x: 1 })).toMatchObject([400, 'INVALID_ARGUMENTS', {}]);
  const expected = [413, 'PAYLOAD_TOO_LARGE', { error: 'The body is larger than 10000 bytes' }];
  expect(await call(url, 'Add', { x: 'a'.repeat(20_000) })).toEqual(expected);
  expect(await call(url, 'Add', '{')).toEqual([400, 'INVALID_JSON', { error: 'Invalid JSON body' }]);
  const head = await fetch(`${url}/healthz`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const unknown = await fetch(`${url}/functions/Add`, { method: 'DELETE' });
  expect([unknown.status, unknown.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  await unknown.body?.cancel();
}

async function expectDocument(url: string, base: string): Promise<void> {
  const document = await fetch(`${url}/openapi.json`);
  const etag = document.headers.get('etag') ?? '';
  expect(await document.json()).toMatchObject({ info: { title: 'Embedded' }, servers: [{ url: base }] });
  const again = await fetch(`${url}/openapi.json`, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
}

/** With the client of the MCP SDK, in both revisions: on the fast path, and past it. */
async function expectMcp(url: string): Promise<void> {
  for (const mode of ['legacy', 'auto'] as const) {
    const client = new Client({ name: 'embedding', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    const result = await client.callTool({ name: 'functions.Add', arguments: { x: 1, y: 2 } });
    expect(result.structuredContent).toEqual({ result: 3 });
    const { contents } = await client.readResource({ uri: 'notes://today' });
    expect(contents).toMatchObject([{ text: 'Buy milk' }]);
    await client.close();
  }
}

/** A client that disconnects ends its call. */
async function expectAbort(url: string): Promise<void> {
  const count = async () => ((await call(url, 'Count', {})) as [number, null, { result0: number; result1: number }])[2];
  const before = await count();
  const controller = new AbortController();
  const response = post(url, 'Wait', {}, controller.signal).catch(() => 'aborted');
  const until = async (key: 'result0' | 'result1') => {
    for (let tries = 0; tries < 100; tries++, await sleep(50)) if ((await count())[key] > before[key]) return;
    throw new Error(key === 'result0' ? 'the call did not start' : 'the call was not aborted');
  };
  await until('result0');
  controller.abort();
  expect(await response).toBe('aborted');
  await until('result1');
}

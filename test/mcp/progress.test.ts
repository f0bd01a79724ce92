import { connect } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { createApp, defineResource, type Context } from 'everywire';
import { serve } from 'everywire/node';
import { describe, expect, it } from 'vitest';
import { fn, integer, silent, string } from '../kit/functions.ts';
import { requestText } from '../kit/raw.ts';
import { proves } from '../promises.ts';
import { openStdio } from '../wires/stdio.ts';
import { begin, INITIALIZE, legacy, listen, messagesIn, META, modern, tool } from './mcp-post.ts';

// Without the MCP client: it drops progress that arrives together with the response, since it handles responses at once
// and notifications a little later.

const callOf = (id: number, name: string, meta: object = {}) => ({
  jsonrpc: '2.0',
  id,
  ...tool(name, {}, { _meta: { progressToken: id, ...meta } }),
});

const report = (_: unknown, { progress }: Pick<Context, 'progress'>) => {
  for (const step of [1, 2, 3]) progress(step, 3);
  return 3;
};
/** Functions that tell how far they are, and return right after that. */
const functions = [
  fn('AtOnce', { output: integer }, report),
  fn('Later', { output: integer }, async (input, context) => report(input, await Promise.resolve(context))),
];
const app = createApp({ name: 'Progress', version: '1.0.0', functions });

interface Heard {
  readonly id?: number;
  readonly params?: { readonly progressToken: number; readonly progress: number };
  readonly result?: { readonly structuredContent?: unknown };
}

/** The messages for a call, in order. */
const cameFor = (id: number, messages: readonly Heard[]) =>
  messages
    .filter((message) => message.id === id || message.params?.progressToken === id)
    .map(({ params, result }) => params?.progress ?? result?.structuredContent);

const ALL = [1, 2, 3, { result: 3 }];
const IDS = Array.from({ length: 10 }, (_, i) => i + 1);

describe.each(['AtOnce', 'Later'])('a function that reports progress and returns: %s', (name) => {
  it.each([
    ['2025-11-25', [INITIALIZE], {}],
    ['2026-07-28', [], META],
  ])(proves('mcp.progress', 'all of it is sent before the response on stdio, %s'), async (_revision, before, meta) => {
    const session = openStdio(app);
    const messages: Heard[] = [];
    session.onLine((line) => messages.push(JSON.parse(line) as Heard));
    for (const one of [...before, ...IDS.map((id) => callOf(id, name, meta))]) session.write(JSON.stringify(one));
    await session.close();
    for (const id of IDS) expect(cameFor(id, messages)).toEqual(ALL);
  });

  it.each([
    ['2025-11-25', legacy],
    ['2026-07-28', modern],
  ])(proves('mcp.progress', 'all of it is sent before the response over HTTP, %s'), async (_revision, send) => {
    for (const id of IDS) expect(cameFor(id, await messagesIn(await send(app, callOf(id, name))))).toEqual(ALL);
  });
});

const COUNT = 30_000;
const LONG = 'x'.repeat(1000);
/** More than the sockets' buffers hold, and less than was sent. */
const MUCH = 15_000_000;

const LOGGING = { ...META, 'io.modelcontextprotocol/logLevel': 'debug' };

let hasTold = false;

const stalled = createApp({
  name: 'Stalled',
  version: '1',
  functions: [
    fn('Chatter', { output: string }, async (_, { progress, log }) => {
      for (let i = 0; i < COUNT; i++) {
        if (i % 2 === 0) progress(i, COUNT, LONG);
        else log.info(LONG);
        if (i % 20 === 0) await setImmediate();
      }
      hasTold = true;
      return 'the end';
    }),
  ],
  log: silent,
  resources: [defineResource({ uri: 'notes://{id}', name: 'note', description: 'd', read: () => '' })],
});

/** Sends a request, reads nothing until `meanwhile` has ended, and then reads everything. */
async function stall(
  url: string,
  method: string,
  headers: readonly string[],
  body: string,
  meanwhile: () => PromiseLike<unknown>,
) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const lines = ['Host: localhost', 'Accept: application/json, text/event-stream', `Content-Length: ${body.length}`];
  socket.write(requestText(`${method} /mcp`, [...lines, ...headers], body));
  await meanwhile();
  let [size, end] = [0, ''];
  for await (const chunk of socket) {
    size += (chunk as Buffer).length;
    end = (end + String(chunk)).slice(-1000);
    if (end.endsWith('0\r\n\r\n')) break; // the last chunk of the response
  }
  return { size, end };
}

it.each(['legacy', 'modern', 'session'])(proves('mcp.progress', 'who does not read gets less: %s'), async (road) => {
  const host = await serve(stalled, { port: 0 });
  const meta = { progressToken: 1, ...(road === 'modern' && LOGGING) };
  const headers = ['Content-Type: application/json'];
  if (road === 'session') headers.push(`Mcp-Session-Id: ${await begin(host.url)}`);
  if (road === 'modern')
    headers.push('Mcp-Protocol-Version: 2026-07-28', 'Mcp-Method: tools/call', 'Mcp-Name: functions.Chatter');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...tool('Chatter', {}, { _meta: meta }) });
  hasTold = false;
  const { size, end } = await stall(host.url, 'POST', headers, body, () =>
    expect.poll(() => hasTold, { timeout: 30_000 }).toBe(true),
  );
  expect(end).toContain('the end');
  expect(size).toBeLessThan(MUCH);
  await host.drain();
});

it(proves('mcp.sessions', 'a listener that does not read is disconnected, and can reconnect'), async () => {
  const host = await serve(stalled, { port: 0 });
  const session = await begin(host.url);
  const uri = `notes://${LONG}`;
  await (await legacy(host.url, { method: 'resources/subscribe', params: { uri } }, session)).text();
  const { size } = await stall(host.url, 'GET', [`Mcp-Session-Id: ${session}`], '', async () => {
    await setTimeout(300);
    for (let i = 0; i < COUNT; i++) {
      stalled.changes.resourceUpdated(uri);
      if (i % 20 === 0) await setImmediate();
    }
  });
  expect(size).toBeLessThan(MUCH);
  const again = await listen(host.url, session);
  expect(again.status).toBe(200);
  await again.body?.cancel();
  await host.drain();
});

import { once } from 'node:events';
import { createApp } from 'everywire';
import { serve } from 'everywire/node';
import { expect, it } from 'vitest';
import { boolean, fn, object } from '../kit/functions.ts';
import { dial, postText } from '../kit/raw.ts';
import { proves } from '../promises.ts';
import { startServing, type Served } from '../kit/served.ts';
import { META, begin, legacy, listen, listenTo, messagesIn, modern, post, tool } from './mcp-post.ts';

const MODULE = 'test/apps/stopping.ts';
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function exited({ child }: Served): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

/** Waits until so many calls are running. */
async function begun({ stderr }: Served, count: number): Promise<void> {
  await expect.poll(() => stderr().split('BEGUN').length - 1, { timeout: 30_000, interval: 10 }).toBe(count);
}

/** Every kind of call, and how its response begins. */
const SLOW = /\{\\"result\\":\\"xxxx\\"\}/;
const slow = (given: object, token?: string) =>
  tool('Slow', given, token === undefined ? {} : { _meta: { progressToken: token } }).params;
const ASKED: readonly [method: string, params: Record<string, unknown>, answer: RegExp][] = [
  ['tools/call', slow({}), SLOW],
  ['tools/call', slow({ size: 900_000 }), /x{900000}/],
  ['tools/call', slow({ steps: 2 }, 'p'), SLOW],
  ['tools/call', slow({}, 'q'), SLOW],
  ['resources/read', { uri: 'slow://1' }, /"text":"xxxx"/],
  ['resources/list', {}, /"slow:\/\/1"/],
  ['prompts/get', { name: 'slow' }, /"text":"xxxx"/],
  [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'slow://{id}' }, argument: { name: 'id', value: '' } },
    /"values":\["xxxx"\]/,
  ],
];

it(proves('http.drain', 'every kind of running call gets its whole response'), async () => {
  const served = await startServing(MODULE);
  const { url } = served;
  const session = await begin(url);
  // Loads everything that is loaded lazily, so that all calls have begun when the signal comes.
  await (await modern(url, { method: 'prompts/list' })).text();
  await (await legacy(url, { method: 'prompts/list' })).text();
  const idle = await listen(url, session);
  const listener = await modern(url, {
    method: 'subscriptions/listen',
    params: { notifications: { resourceSubscriptions: ['slow://1'] } },
  });

  const calls: [title: string, answer: RegExp, sent: Promise<Response>][] = [];
  for (const [i, [method, params, answer]] of ASKED.entries()) {
    const asked = { method, params, id: `call ${i}` };
    calls.push(
      [`modern ${i} ${method}`, answer, modern(url, asked)],
      [`legacy ${i} ${method}`, answer, legacy(url, asked)],
      [`in one session ${i} ${method}`, answer, legacy(url, asked, session)],
      [`in its own session ${i} ${method}`, answer, begin(url).then((own) => legacy(url, asked, own))],
    );
  }
  calls.push(['HTTP', /^\{"result":"xxxx"\}$/, fetch(`${url}/functions/Slow`, { method: 'POST' })]);
  calls.push(['a resource over HTTP', /^xxxx$/, fetch(`${url}/resources/slow%3A%2F%2F1`)]);
  const answers = calls.map(async ([title, answer, sent]) => {
    const response = await sent.catch((error: unknown) => String(error));
    const text = typeof response === 'string' ? response : await response.text().catch(String);
    return { title, ok: answer.test(text), text: text.slice(0, 200) };
  });
  await begun(served, calls.length);
  served.child.kill('SIGTERM');
  expect((await Promise.all(answers)).filter(({ ok }) => !ok)).toEqual([]);
  expect(await exited(served)).toBe(0);
  await Promise.all([
    idle.text(),
    (async () => expect((await messagesIn(listener)).at(-1)).toHaveProperty('result'))(),
  ]);
});

/** A kept-alive connection. */
function keep(url: string) {
  const { socket, text, rest } = dial(url);
  return {
    /** The system has the connection, whether or not the server has accepted it. */
    connected: once(socket, 'connect'),
    rest,
    async ask(path: string, body: object = {}, ...headers: readonly string[]): Promise<string> {
      const reply = () => text().slice(before);
      const before = text().length;
      socket.write(postText(path, JSON.stringify(body), ...ACCEPTED, ...headers));
      await expect.poll(reply, { timeout: 30_000 }).toMatch(/\r\n\r\n[^]*\}/);
      return reply();
    },
  };
}

const ACCEPTED = ['Content-Type: application/json', 'Accept: application/json, text/event-stream'];
const TOOL = { name: 'functions.Fast', arguments: {} };
type Road = readonly [title: string, path: string, body: object, ...headers: string[]];
const ROADS: readonly Road[] = [
  ['HTTP', '/functions/Fast', {}],
  ['MCP, 2025-11-25', '/mcp', { jsonrpc: '2.0', id: 5, method: 'tools/call', params: TOOL }],
  ['MCP, 2025-11-25, beyond the fast path', '/mcp', { jsonrpc: '2.0', id: 5, method: 'prompts/list' }],
  [
    'MCP, 2026-07-28',
    '/mcp',
    { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { ...TOOL, _meta: META } },
    'Mcp-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    'Mcp-Name: functions.Fast',
  ],
];

it(proves('http.drain', 'later requests on kept-alive connections get 503 and Connection: close'), async () => {
  const served = await startServing(MODULE);
  const { url } = served;
  const session = await begin(url);
  const inSession: Road = ['MCP, in a session', ROADS[1]![1], ROADS[1]![2], `Mcp-Session-Id: ${session}`];
  const kept = [...ROADS, inSession].map(([title, ...asked]) => ({ title, asked, ...keep(url) }));
  for (const { title, asked, ask } of kept) expect(await ask(...asked), title).toMatch(/^HTTP\/1\.1 200 /);
  const call = fetch(`${url}/functions/Slow`, { method: 'POST' });
  const streamed = await legacy(url, { method: 'tools/call', params: slow({ steps: 1 }, 'r') }, session);
  await begun(served, 2);
  served.child.kill('SIGTERM');
  await expect.poll(() => served.stderr(), { timeout: 5000 }).toContain('SIGTERM');
  for (const { title, asked, ask, rest } of kept) {
    const text = await ask(...asked);
    expect(text, title).toMatch(/^HTTP\/1\.1 503 /);
    expect(text, title).toMatch(/\r\nconnection: close\r\n/i);
    expect(text, title).toMatch(/\r\nretry-after: 1\r\n/i);
    expect(text, title).toMatch(/\r\neverywire-error-code: UNAVAILABLE\r\n/i);
    expect(text, title).toContain('The server is stopping');
    if (asked[0] === '/mcp') expect(text, title).toContain('"id":5');
    await rest();
  }
  expect(await (await call).text()).toBe('{"result":"xxxx"}');
  expect((await messagesIn(streamed)).at(-1)).toMatchObject({ result: { structuredContent: { result: 'xxxx' } } });
  expect(await exited(served)).toBe(0);
});

it(proves('http.drain', 'a connection that a busy server has not accepted yet gets a response'), async () => {
  const served = await startServing(MODULE);
  const busy = fetch(`${served.url}/functions/Busy`, { method: 'POST' });
  await begun(served, 1);
  const waiting = Array.from({ length: 20 }, () => keep(served.url));
  const asked = waiting.map(({ ask }) => ask('/functions/Fast'));
  await Promise.all(waiting.map(({ connected }) => connected));
  served.child.kill('SIGTERM');
  for (const text of await Promise.all(asked)) expect(text).toMatch(/^HTTP\/1\.1 (?:200|503) /);
  expect((await busy).status).toBe(200);
  expect(await exited(served)).toBe(0);
});

it(proves('http.drain', 'reports a call in a session that had to be aborted'), async () => {
  const app = createApp({
    name: 'Endless',
    version: '1',
    functions: [fn('Endless', {}, () => new Promise(() => {}))],
    limits: { drain: 500 },
  });
  const host = await serve(app, { port: 0 });
  const session = await begin(host.url);
  const call = legacy(host.url, tool('Endless'), session).then(
    async (response) => response.text(),
    () => 'cut off',
  );
  await pause(200);
  expect(await host.drain()).toBe(false);
  expect(await call).toBe('cut off');
});

it(proves('http.drain', 'a call that waits for an elicitation still gets the answer'), async () => {
  const app = createApp({
    name: 'Asking',
    version: '1',
    functions: [
      fn('Ask', { output: boolean }, async (_, { ask }) => (await ask(object({ yes: boolean }), 'Really?')).yes),
    ],
  });
  const host = await serve(app, { port: 0 });
  const session = await begin(host.url);
  const stream = listenTo(await legacy(host.url, tool('Ask'), session));
  const { id } = await stream.next();
  const drained = host.drain();
  const result = { action: 'accept', content: { yes: true } };
  expect((await post(host.url, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': session })).status).toBe(202);
  expect(await stream.next()).toMatchObject({ result: { structuredContent: { result: true } } });
  await stream.close();
  expect(await drained).toBe(true);
});

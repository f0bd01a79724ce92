import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { shared } from '../kit/broker.ts';
import { hasRedis } from '../kit/redis.ts';
import { INITIALIZE, type Listener } from '../mcp/mcp-post.ts';
import { begin, legacy, listen, listenTo, messagesIn, modern, only, post, tool } from '../mcp/mcp-post.ts';
import { expectErrors } from '../kit/errors.ts';
import { proves } from '../promises.ts';
import { run } from '../wires/cli.ts';
import { openStdio } from '../wires/stdio.ts';
import { createShared, ledger } from './app.ts';
import { startHosts, type Hosts } from './hosts.ts';

expectErrors(/"message":"a problem","operationId":"functions\.Talk"/);

let store: string;
let hosts: Hosts;
let [a, b, c] = ['', '', ''];

beforeAll(async () => {
  if (!hasRedis) return;
  store = (await shared('redis')).url;
  hosts = await startHosts(3, { store });
  [a = '', b = '', c = ''] = hosts.urls;
});
afterAll(() => hosts?.stop());

const textOf = ({ result }: any) => JSON.parse(result.content[0].text).result as unknown;
const answered = async (response: Promise<Response>) => textOf((await messagesIn(await response)).at(-1));

const noted = (line: string) => vi.waitFor(() => expect(ledger).toContain(line), { timeout: 10_000 });

describe.runIf(hasRedis)('a session of 2025-11-25', () => {
  it(proves('share.sessions', 'opened in one process is used in all of them'), async () => {
    const session = await begin(a);
    const pids = await Promise.all([a, b, c].map((url) => answered(legacy(url, tool('Where'), session))));
    expect(pids).toEqual([0, 1, 2]);
    for (const method of ['tools/list', 'resources/templates/list', 'prompts/list'])
      expect(await (await legacy(b, { method }, session)).json()).toMatchObject({ result: {} });
  });

  it(proves('share.sessions', 'many requests at once make one copy, and all are answered'), async () => {
    const session = await begin(a);
    const calls = Array.from({ length: 20 }, (_, id) => legacy(b, { ...tool('Where'), id: `${id}` }, session));
    expect(new Set(await Promise.all(calls.map(answered)))).toEqual(new Set([1]));
  });

  it(proves('share.sessions', 'unknown ones look as always, however long their ids are'), async () => {
    for (const id of [crypto.randomUUID(), 'none', 'x'.repeat(8000), '../mcp-secret']) {
      const response = await legacy(b, { method: 'ping' }, id);
      expect([response.status, await response.json()]).toMatchObject([404, { error: { code: -32001 } }]);
    }
    expect((await fetch(`${b}/mcp`, { method: 'DELETE', headers: { 'mcp-session-id': 'none' } })).status).toBe(404);
  });

  it(proves('share.sessions', 'a handshake that is too large is refused'), async () => {
    const capabilities = { elicitation: {}, experimental: { x: { y: 'x'.repeat(20_000) } } };
    const response = await post(a, { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities } });
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([400, null]);
    const icons = [{ src: `data:image/png;base64,${'A'.repeat(50_000)}` }];
    const clientInfo = { ...INITIALIZE.params.clientInfo, icons };
    const accepted = await post(a, { ...INITIALIZE, params: { ...INITIALIZE.params, clientInfo } });
    expect(accepted.status).toBe(200);
    expect((await legacy(b, { method: 'ping' }, accepted.headers.get('mcp-session-id')!)).status).toBe(200);
  });

  it(proves('share.elicitation', 'the answer arrives at another process than the one that waits'), async () => {
    const session = await begin(a);
    const stream = listenTo(await legacy(b, { ...tool('Confirm', { what: 'delete' }), id: 'call' }, session));
    const question = await stream.next();
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Really delete?' } });
    const response = { jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: { yes: true } } };
    // A response to a request that nobody has sent changes nothing.
    for (const id of ['0', 0, `${crypto.randomUUID()}/0`, question.id.replace(/\d+$/, '7')])
      expect((await post(c, { ...response, id }, { 'mcp-session-id': session })).status).toBe(202);
    // Neither does one in another session.
    expect((await post(c, response, { 'mcp-session-id': await begin(c) })).status).toBe(202);
    expect((await post(c, response, { 'mcp-session-id': session })).status).toBe(202);
    expect(textOf(await stream.next())).toBe('delete true 1');
  });

  it(proves('share.elicitation', 'questions of several processes at once are answered each for itself'), async () => {
    const session = await begin(a);
    const streams = await Promise.all(
      [a, b, c].map(async (url, i) =>
        listenTo(await legacy(url, { ...tool('Confirm', { what: `w${i}` }), id: i }, session)),
      ),
    );
    const questions = await Promise.all(streams.map((stream) => stream.next()));
    expect(new Set(questions.map(({ id }) => id)).size).toBe(3);
    await Promise.all(
      [b, c, a].map((url, i) =>
        post(
          url,
          { jsonrpc: '2.0', id: questions[i].id, result: { action: 'accept', content: { yes: i === 1 } } },
          { 'mcp-session-id': session },
        ),
      ),
    );
    const results = await Promise.all(streams.map((stream) => stream.next()));
    expect(results.map(textOf)).toEqual(['w0 false 0', 'w1 true 1', 'w2 false 2']);
  });

  it(proves('share.sessions', 'a call is cancelled from another process'), async () => {
    const session = await begin(a);
    const running = legacy(b, { ...tool('Slow', { label: 'other' }), id: 'slow' }, session);
    await noted('began other');
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } };
    expect((await post(c, cancel, { 'mcp-session-id': await begin(c) })).status).toBe(202); // not that of another session
    await answered(legacy(c, tool('Where'), session));
    expect(ledger).not.toContain('cancelled other');
    expect((await post(c, cancel, { 'mcp-session-id': session })).status).toBe(202);
    await noted('cancelled other');
    expect(await messagesIn(await running)).toEqual([]);
  });

  it(proves('share.sessions', 'the log level is that of the session in every process'), async () => {
    const session = await begin(a);
    const talk = async (url: string) => {
      const messages = await messagesIn(await legacy(url, tool('Talk'), session));
      return messages.flatMap(({ params }) => params?.level ?? []) as string[];
    };
    expect(await talk(b)).toEqual(['debug', 'error']);
    await (await legacy(c, { method: 'logging/setLevel', params: { level: 'error' } }, session)).text();
    expect(await Promise.all([a, b, c].map(talk))).toEqual([['error'], ['error'], ['error']]);
    await (await legacy(c, { method: 'logging/setLevel', params: { level: 'wrong' } }, session)).text();
    expect(await talk(a)).toEqual(['error']);
  });

  it(proves('share.sessions', 'DELETE ends it in all processes, and what runs in it'), async () => {
    const session = await begin(a);
    const running = legacy(b, { ...tool('Slow', { label: 'deleted' }), id: 'slow' }, session);
    await noted('began deleted');
    await answered(legacy(a, tool('Where'), session));
    const deleted = await fetch(`${c}/mcp`, { method: 'DELETE', headers: { 'mcp-session-id': session } });
    expect(deleted.status).toBe(200);
    await noted('cancelled deleted');
    await (await running).text();
    for (const url of [a, b, c]) expect((await legacy(url, { method: 'ping' }, session)).status).toBe(404);
  });
});

describe.runIf(hasRedis)('changes', () => {
  const follow = async (url: string, session: string) => listenTo(await listen(url, session));
  /** In alphabetical order: changes in different processes may overtake each other. */
  const named = async (stream: Listener, count: number) =>
    (await stream.take(count)).map(({ method, params }) => (params?.uri ?? method) as string).toSorted();
  const change = (url: string, given: object) => answered(legacy(url, tool('Change', given)));

  it(proves('share.changes', 'reach a client of 2025-11-25 once, subscribed in another process'), async () => {
    const session = await begin(a);
    const subscribe = async (url: string, uri: string, method = 'resources/subscribe') =>
      expect(await (await legacy(url, { method, params: { uri } }, session)).json()).toMatchObject({ result: {} });
    await subscribe(a, 'note://1'); // before it listens
    const stream = await follow(b, session);
    await subscribe(c, 'note://2');
    await subscribe(b, 'note://3');
    await subscribe(a, 'note://4');
    await subscribe(c, 'note://4', 'resources/unsubscribe');
    for (const uri of ['note://1', 'note://4', 'note://2', 'note://3', 'note://5']) await change(c, { uri });
    for (const url of [a, b, c]) await change(url, { kind: 'tools' });
    await change(a, { uri: 'note://1' });
    const tools = 'notifications/tools/list_changed';
    expect(await named(stream, 7)).toEqual(['note://1', 'note://1', 'note://2', 'note://3', tools, tools, tools]);
    for (const url of [a, b, c]) await change(url, { kind: 'prompts' });
    expect(new Set(await named(stream, 3))).toEqual(new Set(['notifications/prompts/list_changed'])); // nothing before
    await stream.close();
  });

  it(proves('share.changes', 'reach one stream of a session: the last one'), async () => {
    const session = await begin(a);
    const first = await follow(a, session);
    const second = await follow(b, session);
    expect(await first.next()).toBeUndefined(); // ended
    await change(c, { kind: 'prompts' });
    expect(await second.next()).toMatchObject({ method: 'notifications/prompts/list_changed' });
    await second.close();
  });

  it(proves('share.changes', 'reach subscriptions/listen of 2026-07-28 once'), async () => {
    const notifications = { resourceSubscriptions: ['note://7'], toolsListChanged: true };
    const streams = await Promise.all(
      [a, b].map(async (url) =>
        listenTo(await modern(url, { method: 'subscriptions/listen', params: { notifications } })),
      ),
    );
    for (const stream of streams) expect((await stream.next()).method).toContain('acknowledged');
    await change(c, { uri: 'note://8' });
    await change(c, { uri: 'note://7' });
    await change(a, { kind: 'tools' });
    for (const stream of streams)
      expect(await named(stream, 2)).toEqual(['note://7', 'notifications/tools/list_changed']);
    await change(b, { uri: 'note://7' });
    for (const stream of streams) {
      expect(await named(stream, 1)).toEqual(['note://7']); // nothing before
      await stream.close();
    }
  });

  it(proves('share.changes', 'of a command that ends at once arrive'), async () => {
    const stream = listenTo(
      await modern(a, { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } }),
    );
    await stream.next();
    const args = ['dist/bin/everywire.js', 'call', 'test/share/app.ts', 'Change', '--kind', 'tools'];
    const ran = await run(args, undefined, { EVERYWIRE_STORE: store });
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect((await stream.next()).method).toBe('notifications/tools/list_changed');
    await stream.close();
  });

  it(proves('share.changes', 'reach a client on stdio'), async () => {
    const app = createShared({ store });
    const session = openStdio(app);
    let notified = 0;
    session.onLine((line) => {
      if (line.includes('notifications/tools/list_changed')) notified++;
    });
    session.write(JSON.stringify(INITIALIZE));
    session.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    for (let tries = 0; notified === 0; tries++) {
      if (tries > 200) throw new Error('no notification');
      await change(a, { kind: 'tools' });
      await sleep(50);
    }
    await session.close();
    await app.close();
  });

  it(proves('share.changes', 'a session has as many subscriptions as the limit says, in all processes'), async () => {
    const session = await begin(a);
    const subscribe = async (url: string, id: number) => {
      const asked = { method: 'resources/subscribe', id, params: { uri: `note://${id}` } };
      return only(legacy(url, asked, session));
    };
    const ids = Array.from({ length: 40 }, (_, id) => id);
    const urls = [a, b, c];
    const results = await Promise.all(ids.map((id) => subscribe(urls[id % 3]!, id)));
    expect(results.filter(({ result }) => result)).toHaveLength(30);
    expect(results.find(({ error }) => error).error.data).toEqual({ code: 'UNAVAILABLE' });
  });
});

describe.runIf(hasRedis)('a session that nobody uses', () => {
  const ping = async (url: string, session: string) => (await legacy(url, { method: 'ping' }, session)).status;

  it(proves('share.sessions', 'expires, unless its client listens anywhere'), async () => {
    const short = await startHosts(2, { store, limits: { sessionIdle: 4000 } });
    const [one = '', other = ''] = short.urls;
    const [listens, idle] = [await begin(one), await begin(one)];
    const stream = listenTo(await listen(other, listens));
    await sleep(6000); // asking would keep it
    expect([await ping(one, listens), await ping(one, idle)]).toEqual([200, 404]);
    await stream.close();
    await sleep(6000);
    expect([await ping(one, listens), await ping(other, listens)]).toEqual([404, 404]);
    await short.stop();
  });
});

const HEADERS = `{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' }`;

/** Opens a session, announces a change, and prints whether packages for stores are loaded. */
const program = (option: string) => `
import { Module } from 'node:module';
import { createApp, defineResource } from 'everywire';
const resources = [defineResource({ uri: 'r://1', name: 'r', description: 'd', read: () => 'x' })];
const app = createApp({ name: 'Off', version: '1', functions: [], resources, ${option} log: { debug() {}, info() {}, warn() {}, error() {} } });
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
const response = await app.fetch(new Request('http://localhost/mcp', { method: 'POST', headers: ${HEADERS}, body }));
app.changes.listChanged('tools');
await app.close();
const loaded = Object.keys(Module._cache).some((file) => /\\/(ioredis|pg|bullmq|semver)\\//.test(file));
console.log(JSON.stringify([response.status, response.headers.has('mcp-session-id'), loaded]));
`;

it.each([
  ['', [200, true, false]],
  [`store: 'postgres://127.0.0.1:1/tasks',`, [200, true, false]],
  [`store: 'redis://127.0.0.1:1',`, [503, false, true]],
])(proves('share.off', 'createApp({ %s … })'), async (option, expected) => {
  const { stdout, stderr, code } = await run(['--input-type=module', '--eval', program(option)]);
  expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', expected]);
});

const TASK = `
import { Module } from 'node:module';
import { createApp, defineFunction } from 'everywire';
const functions = [defineFunction({ name: 'F', description: 'f', task: 'always', run: () => {} })];
const app = createApp({ name: 'Off', version: '1', functions });
const deferral = { caller: 'accepts', askable: [], wait: 10_000 };
const { outcome } = await app.respond({ name: 'F', input: {}, deferral });
await app.close();
console.log(outcome.ok, Object.keys(Module._cache).some((file) => /\\/(ioredis|pg|bullmq|semver)\\//.test(file)));`;

it(proves('share.off', 'tasks without a store load no package for one'), async () => {
  const { stdout, stderr } = await run(['--input-type=module', '--eval', TASK]);
  expect([stderr, stdout]).toEqual(['', 'true false\n']);
});

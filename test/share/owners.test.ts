import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shared } from '../kit/broker.ts';
import { hasRedis } from '../kit/redis.ts';
import { INITIALIZE, listenTo, messagesIn, post, tool } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { startHosts, type Hosts } from './hosts.ts';

let hosts: Hosts;
let [a, b] = ['', ''];

beforeAll(async () => {
  if (!hasRedis) return;
  hosts = await startHosts(2, { store: (await shared('redis')).url, withKeys: true, limits: { sessions: 2 } });
  [a = '', b = ''] = hosts.urls;
});
afterAll(() => hosts?.stop());

type Headers = Record<string, string>;
const ANN: Headers = { 'x-api-key': 'key-of-ann' };
const BOB: Headers = { 'x-api-key': 'key-of-bob' };

async function open(url: string, who: Headers): Promise<string> {
  const response = await post(url, INITIALIZE, who);
  await response.text();
  return response.headers.get('mcp-session-id')!;
}

const ping = async (url: string, session: string, who: Headers) => {
  const response = await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' }, { ...who, 'mcp-session-id': session });
  await response.text();
  return response.status;
};

describe.runIf(hasRedis)('a shared session', () => {
  it(proves('share.owners', 'does not exist for anybody else, in any process'), async () => {
    const session = await open(a, ANN);
    for (const url of [a, b]) {
      expect([await ping(url, session, ANN), await ping(url, session, BOB)]).toEqual([200, 404]);
      expect(await ping(url, session, {})).toBe(404);
      for (const method of ['GET', 'DELETE'])
        expect(
          (await fetch(`${url}/mcp`, { method, headers: { ...BOB, accept: '*/*', 'mcp-session-id': session } })).status,
        ).toBe(404);
    }
    expect(await ping(b, session, ANN)).toBe(200);
  });

  it(proves('share.owners', 'a stranger cannot answer, or cancel, what runs in it'), async () => {
    const session = await open(a, ANN);
    const call = { jsonrpc: '2.0', id: 'c', ...tool('Confirm', { what: 'pay' }) };
    const stream = listenTo(await post(b, call, { ...ANN, 'mcp-session-id': session }));
    const { id } = await stream.next();
    const yes = { jsonrpc: '2.0', id, result: { action: 'accept', content: { yes: true } } };
    const no = { jsonrpc: '2.0', id, result: { action: 'accept', content: { yes: false } } };
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } };
    for (const message of [yes, cancel]) {
      expect((await post(a, message, { ...BOB, 'mcp-session-id': session })).status).toBe(404);
      expect((await post(a, message, { ...BOB, 'mcp-session-id': await open(a, BOB) })).status).toBe(202);
    }
    expect((await post(a, no, { ...ANN, 'mcp-session-id': session })).status).toBe(202);
    expect(JSON.stringify(await stream.next())).toContain('pay false');
  });

  it(proves('share.owners', 'opened by nobody belongs to whoever is recognised first'), async () => {
    const session = await open(a, {});
    expect(await ping(b, session, {})).toBe(200);
    expect(await ping(b, session, ANN)).toBe(200);
    expect([await ping(a, session, BOB), await ping(a, session, {}), await ping(a, session, ANN)]).toEqual([
      404, 404, 200,
    ]);
  });

  it(proves('share.sessions', 'goes on after its copy was evicted for lack of room'), async () => {
    const sessions = [];
    for (let i = 0; i < 6; i++) sessions.push(await open(a, ANN));
    for (const url of [a, b]) for (const session of sessions) expect(await ping(url, session, ANN)).toBe(200);
  });

  it(proves('share.sessions', 'is refused if all copies in a process are in use'), async () => {
    const [first, second, third] = [await open(a, ANN), await open(a, ANN), await open(b, ANN)];
    const headers = { ...ANN, accept: 'text/event-stream' };
    const streams = await Promise.all(
      [first, second].map((id) => fetch(`${a}/mcp`, { headers: { ...headers, 'mcp-session-id': id } })),
    );
    const refused = await post(a, { jsonrpc: '2.0', id: 5, method: 'ping' }, { ...ANN, 'mcp-session-id': third });
    expect([refused.status, refused.headers.get('retry-after'), await messagesIn(refused)]).toMatchObject([
      503,
      '1',
      [{ id: 5, error: { data: { code: 'UNAVAILABLE' } } }],
    ]);
    expect(await ping(b, third, ANN)).toBe(200);
    await Promise.all(streams.map(async (stream) => stream.body?.cancel()));
  });
});

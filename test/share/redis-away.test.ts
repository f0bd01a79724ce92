import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectErrors } from '../kit/errors.ts';
import { hasRedis, startRedis, type RedisServer } from '../kit/redis.ts';
import { ASKABLE, INITIALIZE, begin, legacy, listen, listenTo, only, modern, post, tool } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { startHosts, type Hosts } from './hosts.ts';

expectErrors(/"part":"share"/);

let redis: RedisServer;
let hosts: Hosts;
let [a, b] = ['', ''];

beforeAll(async () => {
  if (!hasRedis) return;
  redis = await startRedis(); // its own, since it ends and hangs
  hosts = await startHosts(2, { store: redis.url });
  [a = '', b = ''] = hosts.urls;
});
afterAll(async () => {
  await hosts?.stop();
  await redis?.stop();
});

const where = tool('Where');
const change = (given: object) => tool('Change', given);
const confirm = (more: object = {}) => tool('Confirm', { what: 'x' }, { _meta: ASKABLE, ...more });
const listenModern = (url: string) =>
  modern(url, { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } });

/** Everything that needs Redis, as statuses. */
async function needy(session: string): Promise<number[]> {
  const responses = await Promise.all([
    legacy(a, where, session),
    legacy(b, where, session),
    post(a, INITIALIZE),
    listen(a, session),
    listenModern(b),
    fetch(`${a}/mcp`, { method: 'DELETE', headers: { 'mcp-session-id': session } }),
  ]);
  await Promise.all(responses.map(async (response) => response.body?.cancel()));
  for (const { status, headers } of responses)
    if (status === 503)
      expect([headers.get('retry-after'), headers.get('everywire-error-code')]).toEqual(['1', 'UNAVAILABLE']);
  return responses.map(({ status }) => status);
}

/** Everything that does not need it. */
async function independent(): Promise<number[]> {
  const responses = await Promise.all([
    modern(a, where),
    legacy(b, where),
    modern(a, { method: 'resources/read', params: { uri: 'note://1' } }),
    legacy(a, change({ kind: 'tools' })),
    fetch(`${b}/functions/Where`, { method: 'POST' }),
  ]);
  await Promise.all(responses.map((response) => response.text()));
  return responses.map(({ status }) => status);
}

async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await check()); tries++) {
    if (tries > 100) throw new Error('it did not recover');
    await sleep(50);
  }
}

describe.runIf(hasRedis)('Redis away', () => {
  it.each(['ends', 'hangs'] as const)(proves('share.redis-away', 'if it %s, the rest works'), async (way) => {
    const session = await begin(a);
    const stream = listenTo(await listen(b, session));
    const newer = listenTo(await listenModern(b));
    await newer.next();
    const { result: asked } = await only(modern(a, confirm()));
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    if (way === 'ends') await redis.stop();
    else redis.child.kill('SIGSTOP');

    // That a connection for messages hangs is noticed after some seconds.
    const expected = [503, 503, 503, 503, way === 'hangs' ? expect.any(Number) : 503, 503];
    expect(await needy(session)).toEqual(expected);
    expect(await independent()).toEqual([200, 200, 200, 200, 200]);
    expect(await needy(session)).toEqual(expected);
    // The secret is known in this process.
    const { result } = await only(modern(a, confirm()));
    expect(result).toMatchObject({ resultType: 'input_required' });
    const lines = logged.mock.calls.filter(([line]) => String(line).includes('"part":"share"'));
    expect(lines.length).toBeLessThanOrEqual(2 * hosts.urls.length);
    logged.mockRestore();
    // A client that listens gets the changes of its own process.
    await legacy(b, change({ kind: 'prompts' }));
    expect(await stream.next()).toMatchObject({ method: 'notifications/prompts/list_changed' });

    if (way === 'ends') redis = await startRedis(redis.port);
    else redis.child.kill('SIGCONT');
    await eventually(async () => (await post(a, INITIALIZE)).status === 200);
    await eventually(async () => (await legacy(b, { method: 'ping' }, await begin(a))).status === 200);
    // Redis kept nothing if it has ended, and everything if not.
    expect((await legacy(a, { method: 'ping' }, session)).status).toBe(way === 'ends' ? 404 : 200);
    // If Redis has lost the secret, the processes agree on another one with the first call that needs it.
    const inputResponses = { question1: { action: 'accept', content: { yes: true } } };
    const { result: asking } = way === 'hangs' ? { result: asked } : await only(modern(a, confirm()));
    const again = confirm({ inputResponses, requestState: asking.requestState });
    for (const url of [b, a]) expect(JSON.stringify(await only(modern(url, again)))).toContain('x true');
    // Messages arrive again on the streams that stayed open.
    const notified = newer.next();
    let isNotified = false;
    void notified.then(() => (isNotified = true));
    await eventually(async () => {
      await legacy(a, change({ kind: 'tools' }));
      return isNotified;
    });
    await Promise.all([stream.close(), newer.close()]);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { begin, legacy } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { hasRedis, startRedis } from '../kit/redis.ts';
import type { RedisServer } from '../kit/redis.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { startServing } from '../kit/served.ts';
import type { Served } from '../kit/served.ts';
import { listenTo } from './listen.ts';

const ledger = join(temporaryFolder('ledger'), 'ledger');
let redis: RedisServer;
let served: Served[] = [];
let [a, b] = ['', ''];

beforeAll(async () => {
  if (!hasRedis) return;
  writeFileSync(ledger, '');
  redis = await startRedis();
  Object.assign(process.env, { EVERYWIRE_STORE: redis.url, LEDGER: ledger, SESSION_IDLE: '4000' });
  served = await Promise.all([1, 2].map(() => startServing('test/share/app.ts')));
  [a = '', b = ''] = served.map(({ url }) => url);
});
afterAll(async () => {
  await Promise.all(served.map((one) => one.stop()));
  await redis?.stop();
});

const ping = async (url: string, session: string) => (await legacy(url, { method: 'ping' }, session)).status;

/** Milliseconds after which a record is gone that nobody uses, and some more. */
const GONE = 6000;

describe.runIf(hasRedis)('a shared session', () => {
  it(proves('share.sessions', 'stays while its client listens anywhere, and expires when it is not used'), async () => {
    await Promise.all([begin(a), begin(b)]); // the first one takes longer: it loads the SDK
    const [listens, idle] = [await begin(a), await begin(a)];
    const headers = { accept: 'text/event-stream', 'mcp-session-id': listens };
    const stream = listenTo(await fetch(`${b}/mcp`, { headers }));
    await sleep(GONE);
    expect([await ping(a, listens), await ping(a, idle)]).toEqual([200, 404]);
    await stream.close();
    await sleep(GONE);
    expect([await ping(a, listens), await ping(b, listens)]).toEqual([404, 404]);
  });
});

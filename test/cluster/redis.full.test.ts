import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { begin, legacy, messagesIn } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { hasRedis, startRedis } from '../kit/redis.ts';
import type { RedisServer } from '../kit/redis.ts';
import type { Served } from '../kit/served.ts';
import { call, startWorkers } from './calling.ts';

// What other processes of the same machine share only through Redis.

let redis: RedisServer;
let served: Served;
beforeAll(async () => {
  if (!hasRedis) return;
  redis = await startRedis();
  served = await startWorkers('test/apps/shared-workers.ts', '--store', redis.url);
});
afterAll(async () => {
  await served?.stop();
  await redis?.stop();
});

describe.runIf(hasRedis)('several processes with --store', () => {
  it(proves('workers.shared', 'count calls together'), async () => {
    const statuses = [];
    for (let i = 0; i < 8; i++) statuses.push((await call(served.url, 'Counted')).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
  });

  it(proves('workers.shared', 'any of them serves a session of 2025-11-25'), async () => {
    expect(served.stderr()).not.toContain('sessions');
    const session = await begin(served.url);
    const pids = new Set<number>();
    // Each at the same time as the others, so that each has a connection of its own.
    const calls = Array.from({ length: 8 }, async (_, id) => {
      const request = { method: 'tools/call', id, params: { name: 'functions.Who', arguments: {} } };
      const [{ result }] = await messagesIn(await legacy(served.url, request, session));
      pids.add((result as { structuredContent: { result: number } }).structuredContent.result);
    });
    await Promise.all(calls);
    expect(pids.size).toBe(2);
  });
});

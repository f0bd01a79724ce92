import { randomUUID } from 'node:crypto';
import { describe, it, vi } from 'vitest';
import { toLimit } from '../../src/rate/limit.ts';
import { createRedisStore } from '../../src/rate/redis-store.ts';
import { createRedisState } from '../../src/share/redis-state.ts';
import { openTasks } from '../../src/tasks/open-store.ts';
import { shared } from '../kit/broker.ts';
import { hasRedis } from '../kit/redis.ts';
import { size } from '../kit/sizes.ts';
import { startProxy } from './proxy.ts';
import type { Proxy } from './proxy.ts';
import { next, record, SOON } from './records.ts';

const LIMITS = { records: 1, bytes: 1 };

/** Everything that uses Redis, through `url`, and how to see that it works; `direct` is a way around the proxy. */
async function open(url: string, direct: string) {
  const app = randomUUID();
  const [mine, other] = [await openTasks(url, app, LIMITS), await openTasks(direct, app, LIMITS)];
  const [state, otherState] = [url, direct].map((one) => createRedisState(one, app, () => {})) as never as ReturnType<
    typeof createRedisState
  >[];
  const rate = createRedisStore(url, app);
  const heard = new Set<string>();
  const worker = await mine.queue.work(async ({ id }) => (heard.add(id), 'done'), 1);
  await mine.store.watch((id) => heard.add(id));
  await state!.subscribe('channel', (message) => void heard.add(message));
  let task = await other.store.create(record());
  /** Whether something that is sent around the proxy arrives. */
  const arrives = async (id: string, send: () => Promise<unknown>) => {
    heard.delete(id);
    await send();
    await vi.waitUntil(() => heard.has(id), { timeout: 1000 });
  };
  const leg = { id: randomUUID(), leg: 1 };
  const count = { limit: toLimit('', 'app', { calls: 1e9, seconds: 1 }), key: 'app' };
  const uses: Record<string, () => Promise<unknown>> = {
    'the store': () => mine.store.create(record()),
    'whether it is reachable': async () => {
      if (!(await mine.store.isReachable())) throw new Error('not reachable');
    },
    'adding to the queue': () => mine.queue.add({ id: randomUUID(), leg: 1 }),
    'shared values': () => state!.add(randomUUID(), '', 1000),
    'rate limits': async () => rate.take([count]),
    'the worker': () => arrives(leg.id, () => other.queue.add(leg)),
    'the watcher': () => arrives(task.id, () => other.store.replace((task = next(task)))),
    'shared messages': () => arrives('message', () => otherState!.publish('channel', 'message')),
  };
  return {
    uses,
    close: async () => {
      await worker.stop();
      for (const one of [state!, otherState!, rate, mine.store, mine.queue, other.store, other.queue])
        await one.close();
    },
  };
}

const AT_ONCE = ['the store', 'whether it is reachable', 'adding to the queue', 'shared values', 'rate limits'];
const IN_SCRIPT = 'ERR Error running script (call to f_1): @user_script:1: -READONLY You cannot write';
const spoil = (error: string) => [error, async (proxy: Proxy) => proxy.spoil(error)] as const;
const outages = [
  ...['READONLY You cannot write', IN_SCRIPT, 'LOADING Redis is loading', 'NOAUTH Authentication required'].map(spoil),
  ['silent for ever', async (proxy) => proxy.lose()],
  ['hanging', async (proxy) => proxy.hang()],
  ['closed', async (proxy) => proxy.close()],
] as readonly (readonly [string, (proxy: Proxy) => Promise<void>])[];

describe.runIf(hasRedis)(
  'everything that uses Redis works again without a restart',
  { concurrent: true, timeout: 120_000 },
  () => {
    it.for(outages.slice(0, size(2, 7)))('%s', async ([, leave], { expect }) => {
      const { url } = await shared('redis');
      const proxy = await startProxy(url);
      const { uses, close } = await open(proxy.url, url);
      await Promise.all(Object.values(uses).map((use) => use()));
      await leave(proxy);
      const refused = await Promise.allSettled(AT_ONCE.map((name) => uses[name]!()));
      expect(refused.map(({ status }) => status)).toEqual(AT_ONCE.map(() => 'rejected'));
      await proxy.open();
      await Promise.all(AT_ONCE.map((name) => uses[name]!()));
      for (const [name, use] of Object.entries(uses))
        await expect.poll(() => use().then(() => name, String), SOON).toBe(name);
      await close();
      await proxy.close();
    });
  },
);

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, it, vi } from 'vitest';
import { hasPostgres } from '../../examples/shop/test/postgres.ts';
import { toLimit } from '../../src/rate/limit.ts';
import { createRedisStore } from '../../src/rate/redis-store.ts';
import { createRedisState } from '../../src/share/redis-state.ts';
import { openTasks } from '../../src/tasks/open-store.ts';
import { shared } from '../kit/broker.ts';
import { hasRedis } from '../kit/redis.ts';
import { size } from '../kit/sizes.ts';
import { sharedBackends } from './backends.ts';
import { startProxy, type Proxy } from './proxy.ts';
import { next, record, SOON } from './records.ts';

const LIMITS = { records: 1, bytes: 1 };
type Uses = Record<string, () => Promise<unknown>>;

/** Everything that uses a store through `url`: what fails at once while it is away, and what arrives late or never. */
async function open(url: string, direct: string) {
  const app = randomUUID();
  const [{ store, queue }, other] = [await openTasks(url, app, LIMITS), await openTasks(direct, app, LIMITS)];
  const heard = new Set<string>();
  const worker = await queue.work(async ({ id }) => (heard.add(id), 'done'), 1);
  await store.watch((id) => heard.add(id));
  let task = await other.store.create(record());
  const leg = { id: randomUUID(), leg: 1 };
  const parts: { close(): void | Promise<void> }[] = [{ close: () => worker.stop() }, store, queue];
  parts.push(other.store, other.queue);
  /** Whether something that is sent around the proxy arrives. */
  const arrives = async (id: string, send: () => Promise<unknown>) => {
    heard.delete(id);
    await send();
    await vi.waitUntil(() => heard.has(id), { timeout: 1000 });
  };
  const atOnce: Uses = {
    create: () => store.create(record()),
    read: () => store.read(task.id),
    replace: () => store.replace(next(record())),
    list: () => store.list({ limit: 1 }),
    stale: () => store.stale(0, 1),
    stats: () => store.stats(),
    isReachable: async () => (await store.isReachable()) || Promise.reject(new Error('not reachable')),
    add: () => queue.add({ id: randomUUID(), leg: 1 }),
    missing: () => queue.missing([leg]),
    counts: () => queue.counts(),
  };
  const later: Uses = {
    worker: () => arrives(leg.id, () => other.queue.add(leg)),
    watcher: () => arrives(task.id, () => other.store.replace((task = next(task)))),
  };
  if (url.startsWith('redis')) {
    const state = createRedisState(url, app, () => {});
    const otherState = createRedisState(direct, app, () => {});
    const rate = createRedisStore(url, app);
    const count = { limit: toLimit('', 'app', { calls: 1e9, seconds: 1 }), key: 'app' };
    await state.subscribe('channel', (message) => void heard.add(message));
    atOnce['shared values'] = () => state.add(randomUUID(), '', 1000);
    atOnce['rate limits'] = async () => rate.take([count]);
    later['shared messages'] = () => arrives('message', () => otherState.publish('channel', 'message'));
    parts.push(state, otherState, rate);
  }
  return { atOnce, later, parts };
}

const IN_SCRIPT = 'ERR Error running script (call to f_1): @user_script:1: -READONLY You cannot write';
const spoil = (error: string) => [error, async (proxy: Proxy) => proxy.spoil(error)] as const;
const replies = ['READONLY No writes', IN_SCRIPT, 'LOADING Redis is loading', 'NOAUTH Authentication required'];
const outages = [
  ...replies.map(spoil),
  ['silent for ever', async (proxy) => proxy.lose()],
  ['hanging', async (proxy) => proxy.hang()],
  ['closed', async (proxy) => proxy.close()],
] as readonly (readonly [string, (proxy: Proxy) => Promise<void>])[];

describe.each(sharedBackends)('all that uses $name', { concurrent: true, timeout: 120_000 }, (backend) => {
  const some = backend.name === 'Redis' ? outages.slice(0, size(2, 7)) : outages.slice(size(6, 4));
  it.for(some)('fails fast, and works again without a restart: %s', async ([outage, leave], { expect }) => {
    const url = await backend.open();
    const proxy = await startProxy(url);
    const { atOnce, later, parts } = await open(proxy.url, url);
    const use = (uses: Uses) => Promise.allSettled(Object.values(uses).map((one) => one()));
    for (const one of Object.values({ ...atOnce, ...later })) await one();
    await leave(proxy);
    const refused = (await use(atOnce)).filter(({ status }) => status === 'rejected').length;
    // A pool opens more connections, which work.
    const isPool = backend.name === 'PostgreSQL' && outage === 'silent for ever';
    expect(refused).toBeGreaterThanOrEqual(isPool ? 1 : Object.keys(atOnce).length);
    await proxy.open();
    expect((await use(atOnce)).filter(({ status }) => status === 'rejected')).toEqual([]);
    for (const [name, one] of Object.entries(later))
      await expect.poll(() => one().then(() => name, String), SOON).toBe(name);
    for (const part of parts) await part.close();
    await proxy.close();
  });
});

/** Statements for the server itself. */
async function asAdministrator<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  it('keeps no connection for statements that were given up while a table is locked', async ({ expect }) => {
    const { url } = await shared('postgres');
    const { store } = await openTasks(url, randomUUID(), LIMITS);
    await store.create(record());
    await asAdministrator(url, async (client) => {
      await client.query('BEGIN; LOCK TABLE everywire_tasks');
      const end = Date.now() + 7000;
      const refused = async () => {
        const reasons = new Set<string>();
        while (Date.now() < end) await store.create(record()).catch((error: Error) => reasons.add(error.message));
        return [...reasons];
      };
      const answers = await Promise.all([refused(), refused(), refused()]);
      expect(answers.flat()).toContain('canceling statement due to statement timeout');
      const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await expect.poll(async () => (await client.query<{ n: number }>(waiting)).rows[0]!.n).toBe(0);
      await client.query('COMMIT');
    });
    await store.create(record());
    await store.close();
  });

  it('is not reachable while it is read-only', async ({ expect }) => {
    const { url } = await shared('postgres');
    const { store } = await openTasks(url, randomUUID(), LIMITS);
    expect(await store.isReachable()).toBe(true);
    await asAdministrator(url, async (client) => {
      const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
      const set = `ALTER DATABASE "${rows[0]!.name}" SET default_transaction_read_only =`;
      await client.query(`${set} on`);
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      await expect.poll(() => store.create(record()).catch((error: Error) => error.message)).toMatch(/read-only/);
      expect(await store.isReachable()).toBe(false);
      await client.query(`SET transaction_read_only = off; ${set} off`);
    });
    await store.close();
  });
});

it.skipIf(!hasRedis)('an answer that came while the event loop was blocked counts', async ({ expect }) => {
  const { url } = await shared('redis');
  const rate = createRedisStore(url, randomUUID());
  const count = { limit: toLimit('', 'app', { calls: 1e9, seconds: 1 }), key: 'app' };
  await rate.take([count]);
  const taken = rate.take([count]);
  // It is sent before the loop is blocked.
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
  await expect(Promise.resolve(taken)).resolves.toBeUndefined();
  rate.close();
});

import type { Redis } from 'ioredis';
import { loadRedis, RedisLink } from '../redis/connections.ts';
import type { Count, RateStore, Refusal } from './rate-store.ts';
import { TAKE_SCRIPT } from './take-script.ts';

type Take = (keys: number, ...rest: readonly (string | number)[]) => Promise<[refused: number, wait: number]>;
type Client = Redis & { take: Take };

/** Counts in Redis, together with all processes of the app. */
export function createRedisStore(url: string, app: string): RateStore {
  /** In braces: Redis Cluster then keeps all keys of the app in one place, where a script reaches them. */
  const prefix = `everywire:{${app}}`;
  const link = new RedisLink(() => loadRedis('Counting in Redis'), url, { scripts: { take: { lua: TAKE_SCRIPT } } });

  return {
    async take(counts) {
      const keys = counts.map(({ limit, key }) => `${prefix}:${limit.id}:${key}`);
      const numbers = counts.flatMap(({ limit: { period, capacity, interval } }) => [period, capacity, interval]);
      const [refused, wait] = await link.run((client) => (client as Client).take(keys.length, ...keys, ...numbers));
      return toRefusal(counts, refused, wait);
    },
    close: () => link.close(),
  };
}

function toRefusal(counts: readonly Count[], refused: number, wait: number): Refusal | undefined {
  return refused === 0 ? undefined : { limit: counts[refused - 1]!.limit, wait };
}

import type { RateStore } from './rate-store.ts';

/** Replaces redis-store.ts in runtimes other than Node. */
export function createRedisStore(_url: string, app: string): RateStore {
  throw new Error(`${app} can count in Redis only in Node.js`);
}

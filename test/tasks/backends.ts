import { hasPostgres } from '../../examples/shop/test/postgres.ts';
import { shared } from '../kit/broker.ts';
import { hasRedis } from '../kit/redis.ts';

interface Backend {
  readonly name: string;
  /** A database for a test file. */
  open(): Promise<string>;
}

const all: readonly (Backend & { readonly isThere: boolean })[] = [
  { name: 'Redis', isThere: hasRedis, open: async () => (await shared('redis')).url },
  { name: 'PostgreSQL', isThere: hasPostgres, open: async () => (await shared('postgres')).url },
];

/** Where processes share tasks. */
export const sharedBackends: readonly Backend[] = all.filter(({ isThere }) => isThere);

/** Where tasks may be kept. */
export const backends: readonly { readonly name: string; open(): Promise<string | undefined> }[] = [
  { name: 'memory', open: async () => undefined },
  ...sharedBackends,
];

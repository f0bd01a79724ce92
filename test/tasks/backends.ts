import { hasPostgres, startPostgres } from '../../examples/shop/test/postgres.ts';
import { hasRedis, startRedis } from '../rate/redis-server.ts';

export interface Server {
  /** Undefined: in memory. */
  readonly url: string | undefined;
  stop(): Promise<void>;
}

export interface Backend {
  readonly name: string;
  readonly isThere: boolean;
  start(): Promise<Server>;
}

/** Where tasks may be kept. Each has a server of its own, if it needs one. */
export const backends: readonly Backend[] = [
  { name: 'memory', isThere: true, start: async () => ({ url: undefined, stop: async () => {} }) },
  { name: 'Redis', isThere: hasRedis, start: () => startRedis() },
  { name: 'PostgreSQL', isThere: hasPostgres, start: () => startPostgres() },
];

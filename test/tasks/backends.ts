import { setTimeout as sleep } from 'node:timers/promises';
import { hasPostgres, startPostgres } from '../../examples/shop/test/postgres.ts';
import { hasRedis, startRedis } from '../kit/redis.ts';

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
  { name: 'PostgreSQL', isThere: hasPostgres, start: startReadyPostgres },
];

/** Its socket is there before it takes connections. */
async function startReadyPostgres(): Promise<Server> {
  const server = await startPostgres();
  for (const end = Date.now() + 30_000; ; await sleep(50)) {
    try {
      await server.connections();
      return server;
    } catch (error) {
      if (Date.now() < end) continue;
      await server.stop();
      throw error;
    }
  }
}

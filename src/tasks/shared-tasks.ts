import { importBullmq, importIoredis, importPg } from '#optional';
import type { Bullmq, BullmqBackend } from './bullmq-backend.ts';
import { BullmqPostgres } from './bullmq-postgres.ts';
import { BullmqTaskQueue } from './bullmq-queue.ts';
import { BullmqRedis } from './bullmq-redis.ts';
import type { Tasks } from './open-store.ts';
import { PostgresTaskStore } from './postgres-store.ts';
import { RedisTaskStore } from './redis-store.ts';

/** Connects with the first operation. The packages are optional, and loaded here. */
export async function openSharedTasks(url: string, app: string, onError: (error: unknown) => void): Promise<Tasks> {
  const toQueue = (bullmq: Bullmq, backend: BullmqBackend) => new BullmqTaskQueue(bullmq, backend, onError);
  if (/^rediss?:/.test(url)) {
    const [bullmq, { Redis }] = await load('Redis', 'ioredis', importIoredis);
    return {
      store: new RedisTaskStore(Redis, url, app),
      queue: toQueue(bullmq, new BullmqRedis(bullmq, Redis, url, app)),
    };
  }
  const [bullmq, { default: pg }] = await load('PostgreSQL', 'pg', importPg);
  return {
    store: new PostgresTaskStore(pg, url, app),
    queue: toQueue(bullmq, new BullmqPostgres(bullmq, pg, url, app)),
  };
}

async function load<T>(server: string, driver: string, importDriver: () => Promise<T>): Promise<[Bullmq, T]> {
  try {
    return await Promise.all([importBullmq(), importDriver()]);
  } catch (cause) {
    const packages = `Tasks in ${server} need the packages bullmq and ${driver}: npm install bullmq ${driver}`;
    throw new Error(packages, { cause });
  }
}

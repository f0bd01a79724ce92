import type { Tasks } from './open-store.ts';
import { PostgresTaskStore } from './postgres-store.ts';
import { RedisTaskStore } from './redis-store.ts';
import { MemoryTaskQueue } from './memory-queue.ts';

export async function openSharedTasks(url: string, app: string, _onError: (error: unknown) => void): Promise<Tasks> {
  if (/^rediss?:/.test(url)) {
    const { Redis } = await import('ioredis');
    return { store: new RedisTaskStore(Redis, url, app), queue: new MemoryTaskQueue() };
  }
  const { default: pg } = await import('pg');
  return { store: new PostgresTaskStore(pg, url, app), queue: new MemoryTaskQueue() };
}

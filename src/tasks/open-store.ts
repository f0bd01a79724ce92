import { MemoryTaskQueue } from './memory-queue.ts';
import { MemoryTaskStore } from './memory-store.ts';
import type { MemoryLimits } from './memory-store.ts';
import type { TaskQueue } from './task-queue.ts';
import type { TaskStore } from './task-store.ts';

export interface Tasks {
  readonly store: TaskStore;
  readonly queue: TaskQueue;
}

/**
 * Where the tasks of an app are: in memory without an address, or else in Redis or PostgreSQL. The limits are those of memory.
 * Connects with the first operation. `onError` gets what goes wrong in the background; a worker goes on after that.
 */
export async function openTasks(
  url: string | undefined,
  app: string,
  limits: MemoryLimits,
  onError: (error: unknown) => void = () => {},
): Promise<Tasks> {
  if (url === undefined) return { store: new MemoryTaskStore(limits), queue: new MemoryTaskQueue() };
  return (await import('#tasks-store')).openSharedTasks(url, app, onError);
}

import type { Limits } from '../core/limits.ts';
import { MemoryTaskQueue } from './memory-queue.ts';
import { MemoryTaskStore } from './memory-store.ts';
import type { TaskQueue } from './task-queue.ts';
import type { TaskStore } from './task-store.ts';

const BYTES = 256 * 1024 * 1024;

/** TEMPORARY until the stores are merged. */
export async function openTasks(
  _url: string | undefined,
  _app: string,
  limits: Limits,
): Promise<{ store: TaskStore; queue: TaskQueue }> {
  return { store: new MemoryTaskStore({ records: limits.tasks, bytes: BYTES }), queue: new MemoryTaskQueue() };
}

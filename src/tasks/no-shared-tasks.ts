import type { Tasks } from './open-store.ts';

/** Replaces shared-tasks.ts in runtimes other than Node. */
export async function openSharedTasks(_url: string, app: string, _onError: (error: unknown) => void): Promise<Tasks> {
  throw new Error(`${app} can keep tasks in Redis or PostgreSQL only in Node.js`);
}

import type { Folder } from './folder.ts';

const queues = new WeakMap<Folder, Map<string, Promise<unknown>>>();

/**
 * What changes a file waits for what changes it already, in this process: else a part that one has just rewritten, or
 * appended, would be missing from what the other read before. By folder, which may be mounted twice.
 */
export async function inTurn<T>(folder: Folder, key: string, work: () => Promise<T>): Promise<T> {
  let queue = queues.get(folder);
  if (!queue) queues.set(folder, (queue = new Map()));
  const last = queue.get(key);
  const mine = (last ?? Promise.resolve()).then(work);
  const settled = mine.catch(() => {});
  queue.set(key, settled);
  try {
    return await mine;
  } finally {
    if (queue.get(key) === settled) queue.delete(key);
  }
}

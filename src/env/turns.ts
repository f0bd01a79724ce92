import type { Folder } from './folder.ts';
import { pathOf } from './virtual-path.ts';
import type { Steps } from './virtual-path.ts';

const queues = new Map<string, Promise<unknown>>();

/**
 * What changes a file waits for what changes it already, in this process: else a part that one has just rewritten, or
 * appended, would be missing from what the other read before.
 */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = (queues.get(key) ?? Promise.resolve()).then(work);
  const settled = mine.catch(() => {}); // its own caller hears of it
  queues.set(key, settled);
  try {
    return await mine;
  } finally {
    if (queues.get(key) === settled) queues.delete(key);
  }
}

const numbers = new WeakMap<Folder, number>();
let count = 0;

/** The same for all paths to a file, through whichever mount: one folder may be mounted twice, or within itself. */
export async function identityOf(folder: Folder, steps: Steps): Promise<string> {
  if (folder.identify) return folder.identify(steps);
  let number = numbers.get(folder);
  if (number === undefined) numbers.set(folder, (number = ++count));
  return `folder ${number} ${pathOf(steps)}`;
}

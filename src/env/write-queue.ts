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
  return folder.identify ? folder.identify(steps) : nameOf(folder, steps);
}

/** Changes that are asked for under one path are made in that order: finding out a file's identity takes some longer. */
export function inOrder<T>(folder: Folder, steps: Steps, work: () => Promise<T>): Promise<T> {
  return inTurn(`asked for ${nameOf(folder, steps)}`, work);
}

function nameOf(folder: Folder, steps: Steps): string {
  let number = numbers.get(folder);
  if (number === undefined) numbers.set(folder, (number = ++count));
  return `folder ${number} ${pathOf(steps)}`;
}

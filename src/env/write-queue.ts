import type { Folder } from './folder.ts';
import { pathOf } from './virtual-path.ts';
import type { Steps } from './virtual-path.ts';

const queues = new Map<string, Promise<unknown>>();

/** Serialises writes to one file within this process: two rewrites at once would lose the changes of one. */
export async function enqueue<T>(key: string, work: () => Promise<T>): Promise<T> {
  const result = (queues.get(key) ?? Promise.resolve()).then(work);
  const settled = result.catch(() => {}); // its own caller gets the error
  queues.set(key, settled);
  try {
    return await result;
  } finally {
    if (queues.get(key) === settled) queues.delete(key);
  }
}

const numbers = new WeakMap<Folder, number>();
let count = 0;

/** The same id for every path to a file: one folder may be mounted twice, or within itself. */
export async function identityOf(folder: Folder, steps: Steps): Promise<string> {
  return folder.identify ? folder.identify(steps) : nameOf(folder, steps);
}

/** Keeps changes under one path in the order of the calls, although identityOf takes longer for some of them. */
export function enqueueByPath<T>(folder: Folder, steps: Steps, work: () => Promise<T>): Promise<T> {
  return enqueue(`asked for ${nameOf(folder, steps)}`, work);
}

function nameOf(folder: Folder, steps: Steps): string {
  let number = numbers.get(folder);
  if (number === undefined) numbers.set(folder, (number = ++count));
  return `folder ${number} ${pathOf(steps)}`;
}

import type { Log } from 'everywire';
import { MemoryStore } from './memory-store.ts';
import type { Store } from './store.ts';

/** A database at the given address, or else a store that lasts as long as the process. */
export async function openStore(url: string | undefined, log: Log): Promise<Store> {
  if (url === undefined) return new MemoryStore();
  // Only a shop with a database needs the package that talks to it.
  const { PostgresStore } = await import('./postgres-store.ts').catch((error: Error) => {
    throw new Error('DATABASE_URL needs the package pg: run `npm ci` in examples/shop', { cause: error });
  });
  return PostgresStore.open(url, log);
}

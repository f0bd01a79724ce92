import type { Log } from 'everywire';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { hasPostgres, startPostgres } from './postgres.ts';

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };

export interface Opened {
  readonly store: Store;
  close(): Promise<void>;
}

interface Kind {
  readonly name: string;
  readonly isMissing: boolean;
  open(): Promise<Opened>;
}

/** Both stores must behave alike: every test of one is a test of the other. */
export const kinds: readonly Kind[] = [
  {
    name: 'in memory',
    isMissing: false,
    open: async () => {
      const store = await openStore(undefined, log);
      return { store, close: () => store.close() };
    },
  },
  {
    name: 'in PostgreSQL',
    isMissing: !hasPostgres,
    open: async () => {
      const postgres = await startPostgres();
      const store = await openStore(postgres.url, log);
      return {
        store,
        close: async () => {
          await store.close();
          await postgres.stop();
        },
      };
    },
  },
];

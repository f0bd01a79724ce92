import { defineWith } from 'everywire';
import type { User } from './staff.ts';
import type { Store } from './store/store.ts';

/** What every function of the shop finds in its context: what `start` returned, and what the middleware added. */
export const { defineFunction } = defineWith<{ deps: { store: Store }; values: { user: User } }>();

import { defineWith } from 'everywire';
import type { Store } from './store/store.ts';

/** Who uses the shop. */
export interface User {
  readonly name: string;
  readonly isStaff: boolean;
}

/** What every function of the shop finds in its context: what `start` returned, and what the middleware added. */
export const { defineFunction, defineMiddleware } = defineWith<{ deps: { store: Store }; values: { user: User } }>();

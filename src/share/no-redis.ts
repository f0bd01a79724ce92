import type { SharedState } from './shared-state.ts';

/** Replaces redis-state.ts in runtimes other than Node. */
export function createRedisState(_url: string, app: string): SharedState {
  throw new Error(`${app} can share sessions in Redis only in Node.js`);
}

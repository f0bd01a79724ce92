import type { Bounds } from '../schema/bounds.ts';

/** What an app refuses rather than tries. docs/limits.md is checked against these defaults. */
export interface Limits extends Bounds {
  /** Bytes of a request body. */
  readonly body: number;
  /** Milliseconds a function may take, unless it says otherwise. */
  readonly timeout: number;
  /** Calls under way at once. */
  readonly concurrent: number;
  /** Calls that wait for one of those to end. */
  readonly queued: number;
  /** Bytes of all request headers together. */
  readonly headers: number;
  /** Milliseconds in which the headers of a request must have come. */
  readonly headersTimeout: number;
  /** Milliseconds in which a whole request must have come. */
  readonly requestTimeout: number;
  /** Milliseconds that calls under way are given to end when the server is told to stop. */
  readonly drain: number;
}

export const defaultLimits: Limits = Object.freeze({
  body: 1024 * 1024,
  depth: 64,
  keys: 10_000,
  items: 100_000,
  timeout: 30_000,
  concurrent: 1000,
  queued: 1000,
  headers: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  drain: 10_000,
});

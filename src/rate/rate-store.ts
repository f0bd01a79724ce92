import type { Limit } from './limit.ts';

/** What a call counts against. */
export interface Count {
  readonly limit: Limit;
  /** Whose calls: a principal, an address, a function, or everybody. */
  readonly key: string;
}

export interface Refusal {
  readonly limit: Limit;
  /** Milliseconds until the call would be admitted. */
  readonly wait: number;
}

/** Where calls are counted. */
export interface RateStore {
  /**
   * Counts a call against all of these limits. If one of them refuses it, it counts against none: refused calls must not
   * use up what others share. Returns the refusal with the longest wait.
   */
  take(counts: readonly Count[]): Refusal | undefined | Promise<Refusal | undefined>;
  close(): void;
}

import type { Call } from './call.ts';
import type { Failed } from './outcome.ts';
import type { Principal } from './principal.ts';
import type { RegisteredFunction } from './registered-function.ts';

/** How many calls are admitted in how much time. */
export interface Rate {
  readonly calls: number;
  readonly seconds: number;
  /**
   * How many of them may come at once. The calls then come back evenly, `calls` in `seconds`. Without it, `calls` are
   * counted in windows, which begin with a caller's first call.
   */
  readonly burst?: number;
}

/** A rate limit of an app. */
export interface RateRule extends Rate {
  /** What is counted separately. Callers who are not recognised are told apart by their address. */
  readonly per: 'principal' | 'address' | 'function' | 'app';
}

/** A rate limit of a function, in addition to those of its app. */
export interface FunctionRate extends Rate {
  /** Whose calls are counted separately; all callers together by default. */
  readonly per?: 'principal' | 'address';
}

/** What the pipeline asks, if anything is limited. */
export interface RateLimits {
  /** Counts a call, or returns the refusal, which counts nothing. Never throws. */
  take(
    call: Call,
    fn: RegisteredFunction,
    principal: Principal | undefined,
  ): Failed | undefined | Promise<Failed | undefined>;
  /** Closes connections. The next call opens them again. */
  close(): void;
}

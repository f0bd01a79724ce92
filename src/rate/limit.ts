import type { Rate, RateRule } from '../core/rate.ts';

/** A rate limit, ready to be counted. */
export interface Limit {
  /** Different for every rule of an app, and the same in all its processes. */
  readonly id: string;
  readonly per: RateRule['per'];
  readonly calls: number;
  readonly seconds: number;
  /** In milliseconds. */
  readonly period: number;
  /** How many calls may come at once. */
  readonly capacity: number;
  /** Milliseconds until a bucket has room for one more call; 0 for calls that are counted in windows. */
  readonly interval: number;
}

/** `owner` is the function that has the limit; empty for a limit of the app. */
export function toLimit(owner: string, per: Limit['per'], { calls, seconds, burst }: Rate): Limit {
  const period = seconds * 1000;
  return {
    // A changed rule starts counting again: what was counted for the old one may mean something else.
    id: `${owner}/${per}/${calls}/${seconds}/${burst ?? ''}`,
    per,
    calls,
    seconds,
    period,
    capacity: burst ?? calls,
    interval: burst === undefined ? 0 : period / calls,
  };
}

import type { CallRecord } from '../types.ts';
import { percentile } from './statistics.tsx';

/** Seconds that charts show. */
const SPAN = 300;

export interface Series {
  /** Seconds since 1970. */
  readonly times: number[];
  readonly calls: number[];
  readonly p50: (number | null)[];
  readonly p95: (number | null)[];
  readonly p99: (number | null)[];
}

/** Calls per second and durations of the last minutes, one point for each second. */
export function seriesOf(records: readonly CallRecord[], now: number): Series {
  const end = Math.floor(now / 1000);
  const times = Array.from({ length: SPAN }, (_, i) => end - SPAN + 1 + i);
  const durations = new Map<number, number[]>();
  for (const { time, duration } of records) {
    const second = Math.floor(Date.parse(time) / 1000);
    const known = durations.get(second);
    if (known) known.push(duration);
    else durations.set(second, [duration]);
  }
  const sorted = times.map((time) => durations.get(time)?.toSorted((a, b) => a - b));
  const at = (part: number) => sorted.map((list) => (list ? percentile(list, part) : null));
  return { times, calls: sorted.map((list) => list?.length ?? 0), p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

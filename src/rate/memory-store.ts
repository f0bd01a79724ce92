import type { Limit } from './limit.ts';
import type { Count, RateStore, Refusal } from './rate-store.ts';
import { Recent } from './recent.ts';

/** How many calls count at a moment: since the window began, or those that a bucket still holds. */
interface Level {
  calls: number;
  at: number;
}

/**
 * A limit remembers at least so many callers, and at most twice as many. Each limit has a memory of its own: who has many
 * addresses must not make it forget what principals used.
 */
const CALLERS = 50_000;

/** Sums of fractions are not exact. */
const TOLERANCE = 1e-6;

/** Counts in this process. Everything is synchronous, and there are no timers. */
export class MemoryStore implements RateStore {
  readonly #levels = new Map<string, Recent<Level>>();

  /** The clock is monotonic, and so not the time of day. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  take(counts: readonly Count[]): Refusal | undefined {
    const now = this.now();
    let refusal: Refusal | undefined;
    for (const { limit, key } of counts) {
      const wait = waitFor(limit, this.#of(limit).get(key), now);
      if (wait > (refusal?.wait ?? 0)) refusal = { limit, wait };
    }
    if (!refusal) for (const { limit, key } of counts) add(limit, this.#of(limit), key, now);
    return refusal;
  }

  close(): void {}

  #of({ id }: Limit): Recent<Level> {
    let levels = this.#levels.get(id);
    if (!levels) this.#levels.set(id, (levels = new Recent(CALLERS)));
    return levels;
  }
}

function callsAt({ period, interval }: Limit, { calls, at }: Level, now: number): number {
  if (interval > 0) return Math.max(0, calls - (now - at) / interval);
  return now - at >= period ? 0 : calls;
}

/** Milliseconds until one more call is admitted; 0 if it is admitted now. */
function waitFor(limit: Limit, level: Level | undefined, now: number): number {
  const { capacity, interval, period } = limit;
  if (!level) return 0;
  const excess = callsAt(limit, level, now) + 1 - capacity;
  if (excess <= TOLERANCE) return 0;
  return interval > 0 ? excess * interval : level.at + period - now;
}

function add(limit: Limit, levels: Recent<Level>, key: string, now: number): void {
  const level = levels.get(key) ?? { calls: 0, at: now };
  const calls = callsAt(limit, level, now);
  // A bucket is measured again with each call; a window begins when nothing counts any more.
  if (calls === 0 || limit.interval > 0) level.at = now;
  level.calls = calls + 1;
  levels.set(key, level);
}

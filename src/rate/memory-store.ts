import type { Limit } from './limit.ts';
import type { Count, RateStore, Refusal } from './rate-store.ts';

/** How many calls count at a moment: since the window began, or those that a bucket still holds. */
interface Level {
  calls: number;
  at: number;
}

/**
 * How many callers one limit remembers. Whoever was away longest is forgotten first. Each limit has a memory of its own:
 * who has many addresses must not make it forget what principals used.
 */
const MAX_CALLERS = 100_000;

/** Sums of fractions are not exact. */
const TOLERANCE = 1e-6;

/** Counts in this process. Everything is synchronous, and there are no timers. */
export class MemoryStore implements RateStore {
  readonly #levels = new Map<string, Map<string, Level>>();

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

  #of({ id }: Limit): Map<string, Level> {
    const found = this.#levels.get(id);
    if (found) return found;
    const levels = new Map<string, Level>();
    this.#levels.set(id, levels);
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

function add(limit: Limit, levels: Map<string, Level>, key: string, now: number): void {
  const level = levels.get(key);
  const calls = level ? callsAt(limit, level, now) : 0;
  const continues = level && calls > 0 && limit.interval === 0;
  if (level) levels.delete(key);
  else makeRoom(limit, levels, now);
  // The one that was used last comes last.
  levels.set(key, { calls: calls + 1, at: continues ? level.at : now });
}

/** Forgets those at the front that count no longer: two for each new one, so that the work stays small. */
function makeRoom(limit: Limit, levels: Map<string, Level>, now: number): void {
  for (let i = 0; i < 2; i++) {
    const [oldest] = levels;
    if (!oldest) return;
    const [key, level] = oldest;
    if (levels.size < MAX_CALLERS && callsAt(limit, level, now) > 0) return;
    levels.delete(key);
  }
}

import type { Call } from '../core/call.ts';
import { refuse } from '../core/failure.ts';
import { once } from '../core/once.ts';
import { createQuietReport } from '../core/quiet-report.ts';
import type { Failed } from '../core/outcome.ts';
import type { RateLimits, RateRule } from '../core/rate.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import type { Report } from '../core/report.ts';
import { countsOf, shorten } from './counts.ts';
import { toLimit } from './limit.ts';
import type { Limit } from './limit.ts';
import { MemoryStore } from './memory-store.ts';
import type { Count, RateStore, Refusal } from './rate-store.ts';

export interface RateLimitOptions {
  /** The name of the app: its processes count together. */
  readonly app: string;
  readonly rules: readonly RateRule[];
  /** Where several processes count together. */
  readonly redis?: string | undefined;
  readonly report: Report;
}

/** The limits that apply to one function. */
interface FunctionLimits {
  readonly all: readonly Limit[];
  /** A call that a function makes is not one of its caller, but counts as a call of the function. */
  readonly nested: readonly Limit[];
}

export function createRateLimits({ app, rules, redis, report }: RateLimitOptions): RateLimits {
  const ofApp = unique(rules.map((rule) => toLimit('', rule.per, rule)));
  const ofFunctions = new WeakMap<RegisteredFunction, FunctionLimits>();
  const memory = redis === undefined ? new MemoryStore() : undefined;
  const connect = once(async () => (shared = (await import('#redis')).createRedisStore(redis!, app)));
  let shared: RateStore | undefined;
  const quiet = createQuietReport(report);

  return {
    take(call, fn, principal) {
      const counts = countsOf(limitsOf(call, fn), call, fn, principal);
      if (counts.length === 0) return undefined;
      return shorten(counts)?.then(takeFrom) ?? takeFrom(counts);
    },
    close: () => shared?.close(),
  };

  function takeFrom(counts: readonly Count[]): Failed | undefined | Promise<Failed | undefined> {
    if (memory) return toFailed(memory.take(counts));
    return connect()
      .then((store) => store.take(counts))
      .then(toFailed, unavailable);
  }

  function limitsOf({ outer }: Call, fn: RegisteredFunction): readonly Limit[] {
    let limits = ofFunctions.get(fn);
    if (!limits) {
      const rates = [fn.definition.rate ?? []].flat();
      const own = unique(rates.map((rate) => toLimit(fn.operationId, rate.per ?? 'function', rate)));
      const nested = [...own, ...ofApp.filter(({ per }) => per === 'function')];
      ofFunctions.set(fn, (limits = { all: [...own, ...ofApp], nested }));
    }
    return outer ? limits.nested : limits.all;
  }

  /** Fails closed: an attacker who can disturb the store must not get rid of the limits. */
  function unavailable(thrown: unknown): Failed {
    quiet.thrown(thrown, { part: 'rate' });
    return refuse('UNAVAILABLE', 'Calls cannot be counted at the moment', { retryAfter: 1 });
  }
}

/** A rule that is written twice counts once. */
function unique(limits: readonly Limit[]): readonly Limit[] {
  return [...new Map(limits.map((limit) => [limit.id, limit])).values()];
}

/** Whole seconds, so that the hint is the same in a header, in JSON and in words. */
function toFailed(refusal: Refusal | undefined): Failed | undefined {
  if (!refusal) return undefined;
  const { per, calls, seconds } = refusal.limit;
  const retryAfter = Math.max(1, Math.ceil(refusal.wait / 1000));
  const message = `Too many calls; try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}`;
  return refuse('RATE_LIMITED', message, { retryAfter, details: { per, calls, seconds } });
}

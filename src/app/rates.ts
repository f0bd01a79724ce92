import { once } from '../core/once.ts';
import type { RateLimits } from '../core/rate.ts';
import type { Report } from '../core/report.ts';
import type { AppOptions } from './app.ts';
import type { AppStore } from './app-store.ts';

/** Undefined if nothing is counted. Otherwise what counts is loaded with the first call: most apps never need it. */
export function createLazyRates(options: AppOptions, store: AppStore, report: Report): RateLimits | undefined {
  if (!hasRates(options)) return undefined;
  let loaded: RateLimits | undefined;
  const load = once(async () => {
    const { createRateLimits } = await import('../rate/create-rate-limits.ts');
    const rules = [options.limits?.rate ?? []].flat();
    return (loaded = createRateLimits({ app: options.name, rules, redis: store.redis, report }));
  });
  return {
    take: (...counted) => (loaded ? loaded.take(...counted) : load().then((limits) => limits.take(...counted))),
    close: () => loaded?.close(),
  };
}

function hasRates({ limits, functions }: AppOptions): boolean {
  const hasRules = [limits?.rate ?? []].flat().length > 0;
  return hasRules || (Array.isArray(functions) && functions.some((fn) => fn?.rate !== undefined));
}

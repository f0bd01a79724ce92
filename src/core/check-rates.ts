import type { FunctionRate, RateRule } from './rate.ts';
import { unknownOptions } from './unknown-options.ts';
import type { Known } from './unknown-options.ts';

const RATE_OPTIONS = { per: true, calls: true, seconds: true, burst: true } satisfies Known<RateRule>;
const IN_APPS: readonly unknown[] = ['principal', 'address', 'function', 'app'];
const IN_FUNCTIONS: readonly unknown[] = ['principal', 'address', undefined];

/** Rules as they are written: one, or a list of them. */
export type OneOrMore<T> = T | readonly T[];

export const problemsInRateRules = (rules: OneOrMore<RateRule>) => problemsIn(rules, 'limits.rate', IN_APPS);

export const problemsInFunctionRates = (rates: OneOrMore<FunctionRate>) => problemsIn(rates, 'rate', IN_FUNCTIONS);

/** A limit that is not understood would limit nothing. */
function problemsIn(given: unknown, place: string, allowed: readonly unknown[]): string[] {
  return [given].flat().flatMap((rate: unknown) => {
    if (typeof rate !== 'object' || rate === null) return [`${place} must be { calls, seconds }, or a list of them`];
    const { per, calls, seconds, burst } = rate as Record<string, unknown>;
    const problems = unknownOptions(rate, RATE_OPTIONS, place);
    if (!allowed.includes(per)) {
      const names = allowed.filter((name) => name !== undefined).map((name) => JSON.stringify(name));
      problems.push(`${place}: per must be ${names.join(' or ')}, not ${JSON.stringify(per)}`);
    }
    for (const [name, value] of Object.entries({ calls, seconds, ...(burst !== undefined && { burst }) })) {
      if (!Number.isSafeInteger(value) || (value as number) < 1)
        problems.push(`${place}: ${name} must be a positive integer, not ${JSON.stringify(value)}`);
    }
    return problems;
  });
}

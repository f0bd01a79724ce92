import type { Compilation } from './compilation.ts';
import type { Rule } from './schema-node.ts';

/** A rule that compares a value with a limit. `words` describes what was expected. */
export function limitRule<Value, Limit>(
  holds: (value: Value, limit: Limit) => boolean,
  words: (limit: Limit) => string,
): (limit: Limit, compilation: Compilation) => Rule<Value> {
  return (limit, { schema }) => ({
    accepts: (value) => holds(value, limit),
    explain: (value, place, report) => {
      if (!holds(value, limit)) report.expected(words(limit), value, place, schema);
    },
  });
}

/** `1 item`, `2 items`. */
export const many = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

import { CHECKED_BY_LIBRARY } from '../json-schema.ts';
import { BASE64, isBase64 } from '../base64.ts';
import { describeFormat, describePattern } from '../wire-forms.ts';
import type { Compilation } from './compilation.ts';
import { FORMATS } from './formats.ts';
import { limitRule, many } from './limit-rule.ts';
import type { Rule } from './schema-node.ts';

/** The length in characters: some take two UTF-16 code units. */
export function lengthOf(value: string): number {
  let length = 0;
  for (const _ of value) length++;
  return length;
}

const isShorter = (value: string, n: number) => value.length < n || (value.length < 2 * n && lengthOf(value) < n);

/** Schema libraries count UTF-16 code units, so the library decides if there are enough of them. */
export function minLength(limit: number, compilation: Compilation): Rule<string> {
  const holds = compilation.schema[CHECKED_BY_LIBRARY]
    ? (value: string, n: number) => value.length >= n
    : (value: string, n: number) => !isShorter(value, n);
  return limitRule(holds, (n) => `at least ${many(n, 'character')}`)(limit, compilation);
}

/** Formats of a schema library are checked by that library. */
export function format(given: string, { schema }: Compilation): Rule<string> | undefined {
  const holds = schema[CHECKED_BY_LIBRARY] ? undefined : FORMATS.get(given);
  return (
    holds && {
      accepts: holds,
      explain: (value, place, report) => {
        if (!holds(value)) report.expected(describeFormat(given), value, place, schema);
      },
    }
  );
}

export function pattern(given: string, { schema }: Compilation): Rule<string> | undefined {
  if (schema[CHECKED_BY_LIBRARY]) return undefined;
  // A repeated group overflows the regular expression engine's stack on many megabytes.
  const expression = new RegExp(given, 'u');
  const holds = given === BASE64 ? isBase64 : (value: string) => expression.test(value);
  return {
    accepts: holds,
    explain: (value, place, report) => {
      if (!holds(value)) report.expected(describePattern(given, value, schema), value, place, schema);
    },
  };
}

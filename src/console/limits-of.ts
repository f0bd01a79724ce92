import type { JsonSchema } from '../schema/json-schema.ts';

const WORDS: readonly (readonly [keyword: string, says: (value: unknown) => string])[] = [
  ['minimum', (value) => `at least ${String(value)}`],
  ['exclusiveMinimum', (value) => `more than ${String(value)}`],
  ['maximum', (value) => `at most ${String(value)}`],
  ['exclusiveMaximum', (value) => `less than ${String(value)}`],
  ['multipleOf', (value) => `a multiple of ${String(value)}`],
  ['minLength', (value) => `at least ${plural(value, 'character')}`],
  ['maxLength', (value) => `at most ${plural(value, 'character')}`],
  ['minItems', (value) => `at least ${plural(value, 'item')}`],
  ['maxItems', (value) => `at most ${plural(value, 'item')}`],
  ['uniqueItems', (value) => (value === true ? 'no item twice' : '')],
  ['format', (value) => String(value)],
  ['default', (value) => `default: ${JSON.stringify(value)}`],
];

const plural = (count: unknown, noun: string) => `${String(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Bounds that every integer of JavaScript has are not worth a word. */
const isUsual = (value: unknown) => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;

/** The limits of a schema in words: `at least 1 · at most 10`. */
export function limitsOf(schema: JsonSchema): string {
  return WORDS.filter(([keyword]) => schema[keyword] !== undefined && !isUsual(schema[keyword]))
    .map(([keyword, says]) => says(schema[keyword]))
    .filter(Boolean)
    .join(' · ')
    .slice(0, 300);
}

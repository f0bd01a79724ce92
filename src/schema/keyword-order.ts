import type { JsonSchema } from './json-schema.ts';

/** Rules first, notes last. Others come between them, as they were. */
const FIRST = [
  '$ref',
  'type',
  'properties',
  'patternProperties',
  'required',
  'additionalProperties',
  'propertyNames',
  'prefixItems',
  'items',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'allOf',
  'format',
  'contentEncoding',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
];
const LAST = ['title', 'description', 'default', 'examples', 'deprecated', '$defs'];

const PLACES = new Map([
  ...FIRST.map((keyword, i) => [keyword, i - FIRST.length] as const),
  ...LAST.map((keyword, i) => [keyword, i + 1] as const),
]);

const place = (keyword: string) => PLACES.get(keyword) ?? 0;

/**
 * Puts the keywords of a schema in one order, whichever library it comes from: the same function then gives the same
 * documents. Symbols stay.
 */
export function inKeywordOrder(schema: JsonSchema): JsonSchema {
  const keywords = Object.keys(schema);
  const sorted = keywords.toSorted((a, b) => place(a) - place(b));
  if (sorted.every((keyword, i) => keyword === keywords[i])) return schema;
  const copy: Record<PropertyKey, unknown> = {};
  for (const keyword of [...sorted, ...Object.getOwnPropertySymbols(schema)]) {
    copy[keyword] = (schema as Record<PropertyKey, unknown>)[keyword];
  }
  return copy;
}

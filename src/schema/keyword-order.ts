import type { JsonSchema } from './json-schema.ts';

const FIRST = ['$ref', 'type', 'enum', 'const', 'properties', 'required', 'items', 'prefixItems'];
const LAST = ['title', 'description', 'default', 'examples', 'deprecated', '$defs'];

const RANKS: ReadonlyMap<string, number> = new Map([
  ...FIRST.map((keyword, i) => [keyword, i - FIRST.length] as const),
  ...LAST.map((keyword, i) => [keyword, i + 1] as const),
]);

/** The keywords of a schema in one order: what it is, its rules, what it means. Libraries write them as it comes. */
export function inOrder(schema: JsonSchema): JsonSchema {
  const keywords = Reflect.ownKeys(schema) as string[];
  const ordered = keywords.toSorted((one, other) => (RANKS.get(one) ?? 0) - (RANKS.get(other) ?? 0));
  return Object.fromEntries(ordered.map((keyword) => [keyword, schema[keyword]]));
}

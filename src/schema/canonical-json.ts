import { isRecord } from './json-schema.ts';

/** JSON in which the order of keys does not matter: equal for equal values. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isRecord(inner) ? sortedEntries(inner) : inner));
}

/** Entries, because a key named `__proto__` would be lost in an object. */
function sortedEntries(record: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Object.keys(record)
    .toSorted()
    .map((key) => [key, record[key]]);
}

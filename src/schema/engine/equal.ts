import { isRecord } from '../json-schema.ts';

/** Whether two JSON values are the same: numbers by value, objects whatever the order of their keys. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isEqual(item, b[i]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  );
}

/** Whether no two items are the same. By a text for each, since comparing every pair would take quadratic time. */
export function areUnique(items: readonly unknown[]): boolean {
  if (items.length < 2) return true;
  const seen = new Set<unknown>();
  for (const item of items) {
    // A string of its own cannot be mistaken for the text of an object.
    const key = typeof item === 'object' && item !== null ? textOf(item) : typeof item === 'string' ? `"${item}` : item;
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

/** The same text for the same value: JSON with sorted keys. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'undefined';
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${textOf(value[name])}`).join()}}`;
}

import { isRecord } from '../json-schema.ts';

/** Whether two JSON values are equal. The order of keys does not matter. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isEqual(item, b[i]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  );
}

/** Whether all items are different. Compares canonical JSON: comparing every pair would take quadratic time. */
export function areUnique(items: readonly unknown[]): boolean {
  if (items.length < 2) return true;
  const seen = new Set<unknown>();
  for (const item of items) {
    // The quote keeps strings apart from the canonical JSON of objects.
    const key =
      typeof item === 'object' && item !== null ? canonicalJson(item) : typeof item === 'string' ? `"${item}` : item;
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

/** Canonical JSON: keys are sorted. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'undefined';
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join()}}`;
}

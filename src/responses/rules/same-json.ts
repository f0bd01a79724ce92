import { structureFromText } from '../../schema/from-text.ts';

/** Whether two JSON values are equal. The order of keys does not matter. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every(
      (name) =>
        Object.hasOwn(b, name) && sameJson((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]),
    )
  );
}

/** Whether text is only the data as JSON in one line, which is hard to read for people. */
export function isBareJson(text: string, data: unknown): boolean {
  if (typeof data !== 'object' || data === null || Object.keys(data).length === 0 || text.includes('\n')) return false;
  return sameJson(structureFromText(text), data);
}

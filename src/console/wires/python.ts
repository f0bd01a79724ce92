import { InexactNumber } from '../../schema/parse-json.ts';

/** A JSON value as an expression of Python. */
export function pythonOf(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  // The escapes of JSON are those of Python, except for pairs of surrogates.
  if (value instanceof InexactNumber) return value.text;
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${pythonOf(inner)}`)
    .join(', ')}}`;
}

import { fromBase64, toBase64 } from './base64.ts';
import { contentSchema } from './content-blocks.ts';
import { FORM_KEYWORD } from './json-schema.ts';
import type { Forms, JsonSchema } from './json-schema.ts';

// RFC 3339 has leap seconds and any number of digits, Date has neither.
const DATE = ':[0-5][0-9](?:\\.[0-9]{1,3}0*)?(?:[Zz]|[+-][0-9:]+)$';
export const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

/**
 * Values that JSON has no word for travel as text of a declared form: dates by RFC 3339,
 * 64-bit integers in decimal, bytes in base64. A schema says so with the keyword `x-everywire`.
 */
export const forms = {
  date: { type: 'string', format: 'date-time', pattern: DATE, [FORM_KEYWORD]: 'date' },
  bigint: { type: 'string', format: 'int64', pattern: '^-?[0-9]+$', [FORM_KEYWORD]: 'bigint' },
  bytes: { type: 'string', contentEncoding: 'base64', pattern: BASE64, [FORM_KEYWORD]: 'bytes' },
  /** Pictures, sounds, links and prose, for people and models: see content-blocks.ts. */
  content: contentSchema,
} as const;

/** A pattern is for machines; where a format, a form or an encoding says the same, that is said. */
export function patternInWords(pattern: string, value: string, schema: JsonSchema): string {
  const { format, contentEncoding } = schema;
  if (schema[FORM_KEYWORD] === 'date' && ISO.test(value)) return `string (${String(format)}) of milliseconds at most`;
  if (typeof format === 'string') return `string (${format})`;
  return typeof contentEncoding === 'string' ? `text in ${contentEncoding}` : `text matching ${pattern}`;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d\.\d{4}/i;

/** What the text of each form stands for. */
export const readers: { [Form in keyof Forms]: (text: string) => Forms[Form] } = {
  date: (text) => new Date(text),
  bigint: (text) => BigInt(text),
  bytes: fromBase64,
};

/** The text of a value that JSON has no word for; undefined when it needs none, or there is none. */
export function formOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) {
    // An invalid date has no text, and RFC 3339 has four digits for the year; JSON.stringify would write null, or six.
    const year = value.getUTCFullYear();
    return year >= 0 && year <= 9999 ? value.toISOString() : undefined;
  }
  return value instanceof Uint8Array ? toBase64(value) : undefined;
}

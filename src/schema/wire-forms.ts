import { contentSchema } from './content-blocks.ts';
import { FORM_KEYWORD } from './json-schema.ts';
import type { Forms } from './json-schema.ts';

// RFC 3339 has leap seconds, Date does not.
const NO_LEAP_SECOND = ':[0-5][0-9](?:\\.[0-9]+)?(?:[Zz]|[+-][0-9:]+)$';
const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

/**
 * Values that JSON has no word for travel as text of a declared form: dates by RFC 3339,
 * 64-bit integers in decimal, bytes in base64. A schema says so with the keyword `x-everywire`.
 */
export const forms = {
  date: { type: 'string', format: 'date-time', pattern: NO_LEAP_SECOND, [FORM_KEYWORD]: 'date' },
  bigint: { type: 'string', format: 'int64', pattern: '^-?[0-9]+$', [FORM_KEYWORD]: 'bigint' },
  bytes: { type: 'string', contentEncoding: 'base64', pattern: BASE64, [FORM_KEYWORD]: 'bytes' },
  /** Pictures, sounds, links and prose, for people and models: see content-blocks.ts. */
  content: contentSchema,
} as const;

/** What the text of each form stands for. */
export const readers: { [Form in keyof Forms]: (text: string) => Forms[Form] } = {
  date: (text) => new Date(text),
  bigint: (text) => BigInt(text),
  bytes: (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)),
};

/** The text of a value that JSON has no word for; undefined when it needs none. */
export function formOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  // An invalid date has no text; JSON.stringify would write null.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (value instanceof Uint8Array) return btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join(''));
  return undefined;
}

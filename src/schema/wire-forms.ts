import { BASE64, fromBase64, toBase64 } from './base64.ts';
import { contentSchema } from './content-blocks.ts';
import { fileSchema } from './file-form.ts';
import { FORM_KEYWORD } from './json-schema.ts';
import type { Forms, JsonSchema } from './json-schema.ts';
import { expectation } from './problem.ts';

// RFC 3339 allows leap seconds and any number of fractional digits; Date does not.
const DATE = ':[0-5][0-9](?:\\.[0-9]{1,3}0*)?(?:[Zz]|[+-][0-9:]+)$';

/**
 * Values without a JSON type travel as strings in a declared form: dates by RFC 3339, 64-bit integers in decimal, bytes
 * in base64. A schema declares the form with the keyword `x-everywire`.
 */
export const forms = {
  date: { type: 'string', format: 'date-time', pattern: DATE, [FORM_KEYWORD]: 'date' },
  bigint: { type: 'string', format: 'int64', pattern: '^-?[0-9]+$', [FORM_KEYWORD]: 'bigint' },
  bytes: { type: 'string', contentEncoding: 'base64', pattern: BASE64, [FORM_KEYWORD]: 'bytes' },
  /** Content blocks (text, images, audio, links, resources) for people and models: see content-blocks.ts. */
  content: contentSchema,
  /** A `File`: base64 in JSON, multipart and raw bytes over HTTP, `@file` on the command line: see file-form.ts. */
  file: fileSchema,
} as const;

/** Examples of formats that few people know by heart. */
export const FORMAT_SAMPLES: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1DT12H',
};

/** Describes the form of a format, with an example where people need one: a date alone is no date-time. */
export function describeFormat(format: string): string {
  const sample = Object.hasOwn(FORMAT_SAMPLES, format) ? ` such as ${FORMAT_SAMPLES[format]}` : '';
  return `string (${format})${sample}`;
}

/** Describes a pattern by its format or encoding, where there is one: few people read regular expressions. */
export function describePattern(pattern: string, value: string, schema: JsonSchema): string {
  const { format, contentEncoding } = schema;
  if (schema[FORM_KEYWORD] === 'date' && ISO.test(value))
    return `string (${String(format)}) with at most 3 fractional digits`;
  if (schema[FORM_KEYWORD] === 'bigint') return expectation(schema);
  if (typeof format === 'string') return describeFormat(format);
  return typeof contentEncoding === 'string' ? `${contentEncoding} string` : `string matching ${pattern}`;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d\.\d{4}/i;

/** Decodes each form. */
export const formReaders: { [Form in keyof Forms]: (text: string) => Forms[Form] } = {
  date: (text) => new Date(text),
  bigint: (text) => BigInt(text),
  bytes: fromBase64,
};

/** Encodes a value that has no JSON type; undefined if it needs no form or has none. */
export function toWireForm(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) {
    // RFC 3339 years have four digits. For invalid dates JSON.stringify would write null, for other years six digits.
    const year = value.getUTCFullYear();
    return year >= 0 && year <= 9999 ? value.toISOString() : undefined;
  }
  return value instanceof Uint8Array ? toBase64(value) : undefined;
}

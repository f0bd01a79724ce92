import { FORM_KEYWORD } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { sampleOfPattern } from './sample-pattern.ts';

/** A valid value for each format. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'ada@example.com',
  'idn-email': 'ada@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/path',
  iri: 'https://example.com/',
  'iri-reference': '/path',
  'uri-template': '/items/{id}',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  'json-pointer': '/name',
  'relative-json-pointer': '1/name',
  regex: '^a+$',
  int64: '42',
};

/** First longer strings, for minLength, then others of the same length, where several must differ. */
const VARIANTS = [
  ...Array.from({ length: 20 }, (_, extra) => [extra, 0] as const),
  ...Array.from({ length: 20 }, (_, variant) => [0, variant] as const),
];

/** Longer strings help nobody. */
const MAX_LENGTH = 500;

/** Strings to try for a schema, those that read best first. */
export function* sampleOfString(schema: JsonSchema): Iterable<string> {
  const { format, pattern, contentEncoding, minLength = 0, maxLength = Infinity } = schema;
  const formatted = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (formatted !== undefined) yield formatted;
  if (contentEncoding === 'base64' || schema[FORM_KEYWORD] === 'bytes') yield 'aGVsbG8=';
  if (typeof pattern === 'string') {
    // The schema library may check the pattern itself, later: here it must match.
    const expression = toRegExp(pattern);
    for (const [extra, variant] of VARIANTS) {
      const text = sampleOfPattern(pattern, extra, variant);
      if (text === undefined) break;
      if (expression?.test(text)) yield text;
    }
  }
  const [least, most] = [Number(minLength), Math.min(Number(maxLength), MAX_LENGTH)];
  for (const word of ['text', 'more', 'word', ...Array.from({ length: 20 }, (_, i) => `${i + 1}text`)])
    yield word.padEnd(Math.min(least, MAX_LENGTH), 'text').slice(0, Math.max(least, most));
}

function toRegExp(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined; // a library's own dialect
  }
}

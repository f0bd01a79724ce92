import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

const text = { type: 'string' };
const number = { type: 'number' };
const date = { type: 'string', format: 'date-time', pattern: expect.any(String), 'x-everywire': 'date' };
const fields = (properties: object, ...required: string[]) => ({
  input: { type: 'object', properties, ...(required.length > 0 && { required }) },
});

/** All that is said of both. */
const streams = (yields: object, schema: object) => ({
  yields: whole(yields),
  result: { kind: 'one', schema: whole(schema) },
});
const whole = (schema: object) => expect.toSatisfy((found) => isDeepStrictEqual(found, schema));

const allOptional = { input: expect.not.objectContaining({ required: expect.anything() }) };

/** Functions, and a part of what must be read of each. */
export const signatures: readonly (readonly [code: string, described: object])[] = [
  // Tags that do not fit
  [
    'export function f(o: { /** @default null */ a?: string }): void {}',
    fields({ o: { type: 'object', properties: { a: text } } }, 'o'),
  ],
  [
    'export function f(input: { /** @default 10 */ a?: string; /** @default 10 */ b?: number }): void {}',
    fields({ a: text, b: { ...number, default: 10 } }),
  ],
  ['export function f(input: { /** @default "today" */ a?: Date }): void {}', fields({ a: date })],
  [
    'export function f(input: { /** @default "2020-01-01T00:00:00Z" */ a?: Date }): void {}',
    fields({ a: { ...date, default: '2020-01-01T00:00:00Z' } }),
  ],
  [
    'export function f(input: { /** @multipleOf 0 */ a: number; /** @multipleOf -1 */ b: number }): void {}',
    fields({ a: number, b: number }, 'a', 'b'),
  ],
  [
    'export function f(input: { /** @default 3\n @minimum 5 */ a?: number }): void {}',
    fields({ a: { ...number, minimum: 5 } }),
  ],
  [
    '/** @param {integer} input.a The a */ export function f(input: { /** @default 1.5 */ a?: number }): void {}',
    fields({ a: { type: 'integer', minimum: expect.any(Number), maximum: expect.any(Number), description: 'The a' } }),
  ],
  // What generators yield and return
  [
    '/** @returns total */ export async function* f(): AsyncGenerator<number, string> { return "" }',
    streams(number, { ...text, description: 'total' }),
  ],
  [
    '/** @yields a part\n @returns total */ export function* f(): Generator<number, string> { return "" }',
    streams({ ...number, description: 'a part' }, { ...text, description: 'total' }),
  ],
  ...['@yields a part', '@returns a part'].map(
    (tag) =>
      [
        `/** ${tag} */ export async function* f(): AsyncGenerator<number> {}`,
        streams({ ...number, description: 'a part' }, { ...number, description: 'a part' }),
      ] as const,
  ),
  // A whole input that may be left out
  [
    'export function f({ a, b }: { a?: number; b?: string } = { a: 7 }): void {}',
    { ...fields({ a: number, b: text }), parameters: [{ kind: 'input', hasDefault: true }] },
  ],
  [
    'export function f(options: { a: number } | { b: string } = { a: 1 }): void {}',
    { parameters: [{ kind: 'property', name: 'options' }], input: { properties: { options: { default: { a: 1 } } } } },
  ],
  // Tuples as the rest
  ['export function f(...args: [a: string, b?: number]): void {}', { input: { required: ['args'] } }],
  ['export function f(...args: [a?: string]): void {}', allOptional],
  ['export function f(...args: [] | [string]): void {}', allOptional],
  ['export function f(...args: string[]): void {}', allOptional],
  // Escapes
  [
    String.raw`export function f(a = '\v\0\x41\u0042\u{43}\'\
D'): void {}`,
    fields({ a: { ...text, default: "\v\0ABC'D" } }),
  ],
  ['export function f(a = `$5`): void {}', fields({ a: { ...text, default: '$5' } })],
  ['export function f(a = `${1}`): void {}', fields({ a: text })],
  // Docs
  [
    '/** @example { "a": "Buy milk" } */ export function f(a: string): void {}',
    { examples: [{ input: { a: 'Buy milk' } }] },
  ],
  [
    '/** @example { "a": "x" } => 2 */ export function f(a: string): number { return 2 }',
    { examples: [{ input: { a: 'x' }, output: 2 }] },
  ],
  [
    '/** @example\n * ```json\n * { "a": "x" }\n * ``` */ export function f(a: string): void {}',
    { examples: [{ input: { a: 'x' } }] },
  ],
  ['/** @example { "b": 1 } */ export function f(a: string): void {}', { examples: [] }],
  [
    '/** @param c.i The items\n * @param c.i[].x The x */ export function f(c: { i: { x: string }[] }): void {}',
    fields(
      {
        c: {
          type: 'object',
          properties: {
            i: {
              type: 'array',
              items: { type: 'object', properties: { x: { ...text, description: 'The x' } }, required: ['x'] },
              description: 'The items',
            },
          },
          required: ['i'],
        },
      },
      'c',
    ),
  ],
  [
    '/** @title a thing\n * @deprecated b is unused\n * @minLength a 2 */ export function f(a: string, b?: number): void {}',
    { title: 'a thing', isDeprecated: true, ...fields({ a: { ...text, minLength: 2 }, b: number }, 'a') },
  ],
  [
    'export function f({ x = 1, y = 2 } = { x: 10, y: 20 }): void {}',
    { parameters: [{ kind: 'input', hasDefault: true }], ...fields({ x: number, y: number }) },
  ],
];

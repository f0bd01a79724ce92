import { Validator } from 'ata-validator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { compileSimple } from '../../src/schema/simple.ts';
import { proves } from '../promises.ts';
import { values } from './arbitrary-schemas.ts';

const names = fc.constantFrom('a', 'b', 'c', 'toString', '', '0', 'length');
const limits = fc.constantFrom(-1, 0, 0.5, 1, 2, 3);
const counts = fc.constantFrom(0, 1, 2, 3);
const plain = fc.constantFrom<unknown>(0, 1, 1.5, '', 'a', '1', true, null);
const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');

/** Every keyword that is simple, in any mixture. */
const { schema: schemas } = fc.letrec<{ schema: JsonSchema | boolean }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.boolean(),
    fc.record(
      {
        type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
        description: fc.constant('Whatever'),
        default: plain,
        enum: fc.uniqueArray(plain, { minLength: 1, maxLength: 4 }),
        const: plain,
        minimum: limits,
        maximum: limits,
        exclusiveMinimum: limits,
        exclusiveMaximum: limits,
        minLength: counts,
        maxLength: counts,
        minItems: counts,
        maxItems: counts,
        items: tie('schema'),
        properties: fc.dictionary(names, tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(names, { maxLength: 2 }),
        additionalProperties: tie('schema'),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
  ) as fc.Arbitrary<JsonSchema | boolean>,
}));

const more = fc.oneof(
  values,
  fc.constantFrom<unknown>(
    '😀',
    '😀😀',
    'é😀x',
    -0,
    1e300,
    Number.NaN,
    Infinity,
    undefined,
    [undefined],
    new Date(0),
    2 ** 53,
    [],
    {},
    [[]],
    { a: {} },
  ),
  fc.dictionary(names, fc.oneof(plain, fc.constantFrom<unknown>([], {}, [1, 'a'], { a: 1 })), { maxKeys: 4 }),
  fc.array(plain, { maxLength: 4 }),
);

describe('a simple schema', () => {
  it(proves('schema.simple', 'is checked as the validator library checks it'), { timeout: 60_000 }, () => {
    let [compared, refused] = [0, 0];
    const alike = (schema: JsonSchema | boolean, data: readonly unknown[]) => {
      const accepts = compileSimple(schema);
      if (!accepts) return;
      const library = new Validator(schema as object, { useDefaults: false });
      for (const value of data) {
        const verdict = library.validate(value).valid;
        expect(accepts(value), JSON.stringify({ schema, value })).toBe(verdict);
        compared++;
        if (!verdict) refused++;
      }
    };
    fc.assert(fc.property(schemas, fc.array(more, { minLength: 12, maxLength: 12 }), alike), { numRuns: 8000 });
    // Neither is worth much if all were skipped, or all the same.
    expect(compared).toBeGreaterThan(30_000);
    expect(refused).toBeGreaterThan(compared / 10);
    expect(refused).toBeLessThan(compared * 0.95);
  });

  it(proves('schema.simple', 'counts letters, and not what they are made of'), () => {
    const accepts = (schema: JsonSchema, value: string) => compileSimple(schema)?.(value);
    expect([accepts({ maxLength: 2 }, '😀😀'), accepts({ maxLength: 1 }, '😀😀')]).toEqual([true, false]);
    expect([accepts({ minLength: 2 }, '😀😀'), accepts({ minLength: 3 }, '😀😀')]).toEqual([true, false]);
  });

  it.each<JsonSchema>([
    { type: 'string', format: 'date' },
    { type: 'string', pattern: 'a' },
    { multipleOf: 0.1 },
    { type: 'array', uniqueItems: true },
    { $ref: '#/$defs/a', $defs: { a: {} } },
    { not: {} },
    { allOf: [{ type: 'string' }] },
    { enum: [{}] },
    { properties: { constructor: {} } },
    { items: { if: {}, then: {} } },
    { items: {}, prefixItems: [{}] },
    // What the library makes of these is not what they say; but a build must not differ from its source.
    { properties: { 0: {} } },
    { type: 'object', properties: {}, required: ['b'], additionalProperties: false },
    { type: 'object', additionalProperties: false },
  ])('is not %j', (schema) => {
    expect(compileSimple(schema)).toBeUndefined();
  });
});

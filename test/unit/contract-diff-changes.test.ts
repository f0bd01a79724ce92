import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffSchemas } from '../../src/contract/diff-schemas.ts';
import { accepts } from '../../src/schema/accepts.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { schemas, values } from './arbitrary-schemas.ts';
import { size } from '../kit/sizes.ts';

const KEYWORDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  type: fc.constantFrom('string', 'integer', 'number', 'object', 'array', ['string', 'null']),
  minimum: fc.constantFrom(0, 1),
  exclusiveMaximum: fc.constantFrom(1, 3),
  multipleOf: fc.constantFrom(1, 2),
  minLength: fc.constantFrom(0, 2),
  maxLength: fc.constantFrom(1, 3),
  pattern: fc.constantFrom('^1', 'x$'),
  format: fc.constantFrom('date', 'email'),
  minItems: fc.constantFrom(0, 2),
  uniqueItems: fc.boolean(),
  contains: schemas,
  prefixItems: fc.array(schemas, { minLength: 1, maxLength: 2 }),
  items: fc.oneof(schemas, fc.boolean()),
  maxProperties: fc.constantFrom(0, 1),
  properties: fc.dictionary(fc.constantFrom('a', 'b'), schemas),
  required: fc.subarray(['a', 'b', 'c']),
  additionalProperties: fc.oneof(schemas, fc.boolean()),
  patternProperties: fc.dictionary(fc.constantFrom('^a', '^b'), schemas),
  propertyNames: fc.constantFrom({ maxLength: 1 }, { enum: ['a'] }),
  dependentRequired: fc.constantFrom({ a: ['b'] }, { b: ['a'] }),
  enum: fc.subarray([1, 'x', null, true], { minLength: 1 }),
  allOf: fc.array(schemas, { minLength: 1, maxLength: 2 }),
  anyOf: fc.array(schemas, { minLength: 1, maxLength: 2 }),
  oneOf: fc.array(schemas, { minLength: 1, maxLength: 2 }),
  not: schemas,
  $ref: fc.constantFrom('#/$defs/A', '#/$defs/B'),
};
const keywords = fc
  .constantFrom(...Object.keys(KEYWORDS))
  .chain((name) => KEYWORDS[name]!.map((value) => [name, value] as const));
const parts: fc.Arbitrary<JsonSchema> = fc.oneof(
  schemas,
  fc.array(keywords, { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
);

/** Where a part can be in a schema: what is around it stays the same. */
const AROUND: readonly ((part: JsonSchema) => JsonSchema)[] = [
  (part) => part,
  (part) => ({ type: 'object', properties: { a: part } }),
  (part) => ({ type: 'object', additionalProperties: part }),
  (part) => ({ type: 'array', items: part }),
  (part) => ({ type: 'array', prefixItems: [part] }),
  (part) => ({ anyOf: [part, { type: 'null' }] }),
  (part) => ({ type: 'object', oneOf: [{ properties: { a: part }, required: ['a'] }, { required: ['b'] }] }),
  (part) => ({ type: 'object', properties: { b: { type: 'string' } }, anyOf: [{ properties: { a: part } }] }),
  (part) => ({ allOf: [part] }),
  (part) => ({ not: part }),
  (part) => ({ $ref: '#/$defs/C', $defs: { C: part } }),
  (part) => ({
    $ref: '#/$defs/C',
    $defs: { C: { type: 'object', properties: { a: part, b: { $ref: '#/$defs/C' } } } },
  }),
];

const DEFINITIONS = { A: { type: 'string' }, B: { type: 'object', properties: { a: { type: 'integer' } } } };
const complete = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  $defs: { ...DEFINITIONS, ...(schema['$defs'] as object | undefined) },
});

const around = fc.constantFrom(...AROUND);
/** The same for all schemas: making them up takes longer than comparing. */
const EXAMPLES = fc.sample(values, { numRuns: 80, seed: 5 });

describe('a schema that accepts other values than before', () => {
  it.each(['input', 'output'] as const)('is never only described differently: %s', (direction) => {
    fc.assert(
      fc.property(around, parts, parts, (put, one, other) => {
        const [before, after] = [complete(put(one)), complete(put(other))];
        const isDifferent = (value: unknown) => accepts(value, before, before) !== accepts(value, after, after);
        if (EXAMPLES.some(isDifferent)) expect(diffSchemas(before, after, direction)).not.toEqual([]);
      }),
      { numRuns: size(100, 500) },
    );
  });

  it.each(['input', 'output'] as const)('whatever one keyword does: %s', (direction) => {
    fc.assert(
      fc.property(around, parts, keywords, (put, one, [name, changed]) => {
        const [before, after] = [complete(put(one)), complete(put({ ...one, [name]: changed }))];
        const isDifferent = (value: unknown) => accepts(value, before, before) !== accepts(value, after, after);
        if (EXAMPLES.some(isDifferent)) expect(diffSchemas(before, after, direction)).not.toEqual([]);
      }),
      { numRuns: size(100, 500) },
    );
  });

  it('a parameter that refuses what it took is breaking, unless other fields get a type', () => {
    fc.assert(
      fc.property(around, parts, keywords, (put, one, [name, changed]) => {
        const [before, after] = [complete(put(one)), complete(put({ ...one, [name]: changed }))];
        const isRefused = (value: unknown) => accepts(value, before, before) && !accepts(value, after, after);
        // A wider member of `oneOf` may overlap with another one, which then refuses more.
        if (JSON.stringify(after).includes('"oneOf"') || !EXAMPLES.some(isRefused)) return;
        const changes = diffSchemas(before, after, 'input');
        expect(changes.some(({ effect, text }) => effect === 'both' || effect === 'narrower' || text === 'added')).toBe(
          true,
        );
      }),
      { numRuns: size(200, 1000) },
    );
  });

  it('and one that is written differently is not different', () => {
    fc.assert(
      fc.property(around, parts, (put, one) => {
        const described = { ...one, description: 'Other words' };
        const named = {
          ...complete(put({ $ref: '#/$defs/N' })),
          $defs: { ...(complete(put(one))['$defs'] as object), N: one },
        };
        expect(diffSchemas(complete(put(one)), complete(put(described)), 'input')).toEqual([]);
        expect(diffSchemas(complete(put(one)), named, 'input')).toEqual([]);
      }),
      { numRuns: size(100, 300) },
    );
  });
});

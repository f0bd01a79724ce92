import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toOpenApi30 } from '../../src/wires/http/openapi/to-openapi-30.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';

type Json = Record<string, any>;

const options = { strict: false, validateFormats: false, validateSchema: false, logger: false } as const;
const ajv2020 = new Ajv2020(options);
const ajvDraft7 = new Ajv(options);

/** ajv throws a ReferenceError for some schemas of deeply nested unions. Those are skipped. */
function safely(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Converts a schema of OpenAPI 3.0 to a dialect that ajv knows. */
function inDraft7(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inDraft7);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Json = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, name === 'enum' ? value : inDraft7(value)]),
  );
  if (copy['nullable'] === true) copy['type'] = [copy['type'], 'null'];
  delete copy['nullable'];
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (copy[exclusive] !== true) delete copy[exclusive];
    else {
      copy[exclusive] = copy[bound];
      delete copy[bound];
    }
  }
  return copy;
}

const string = { type: 'string' };
const integer = { type: 'integer' };

const listOf = (items: Json) => ({ type: 'array', items });
const either = { anyOf: [string, integer] };

const cases: readonly (readonly [title: string, schema: Json, old: Json])[] = [
  ['a tuple that goes on', { type: 'array', prefixItems: [string], items: integer }, listOf(either)],
  ['a tuple that goes on with anything', { type: 'array', prefixItems: [string] }, listOf({})],
  [
    'a tuple that ends',
    { type: 'array', prefixItems: [string, integer], items: false },
    { ...listOf(either), maxItems: 2 },
  ],
  [
    'a tuple of one length',
    { type: 'array', prefixItems: [string, integer], minItems: 2, maxItems: 2 },
    { ...listOf(either), minItems: 2, maxItems: 2 },
  ],
  [
    'a tuple, or something else',
    { type: ['array', 'string'], prefixItems: [string], items: integer },
    { anyOf: [listOf(either), { type: 'string' }] },
  ],
  [
    'patterns of names, and no others',
    { type: 'object', patternProperties: { '^x-': string }, additionalProperties: false },
    { type: 'object', additionalProperties: { anyOf: [string] } },
  ],
  ['not, with a keyword that 3.0 lacks', { not: { contains: string } }, {}],
  ['not, with null and a constant', { not: { const: 'a', type: 'null' } }, {}],
  ['not, with keywords that 3.0 has', { not: string }, { not: string }],
  [
    'branches that 3.0 cannot tell apart',
    { oneOf: [{ type: 'array', contains: string }, { type: 'array' }] },
    { anyOf: [listOf({}), listOf({})] },
  ],
  ['two bounds', { minimum: 5, exclusiveMinimum: 3 }, { minimum: 5 }],
];

for (const [title, schema, old] of cases) {
  it(proves('openapi.old', title), () => expect(JSON.parse(JSON.stringify(toOpenApi30(schema)))).toEqual(old));
}

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(null, true, false, 0, 1, 2, 3, 1.5, '', 'a', 'b', 'x-a'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'x-a'), tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object');
const small = fc.integer({ min: 0, max: 3 });

/** Few keywords at a time: schemas with many accept nothing. */
const schema: fc.Arbitrary<Json> = fc.letrec<{ any: Json | boolean; one: Json }>((tie) => {
  const any = tie('any');
  const list = fc.array(any, { minLength: 1, maxLength: 3 });
  const map = (...names: readonly string[]) =>
    fc.dictionary(fc.constantFrom(...names), any, { maxKeys: 2, noNullPrototype: true });
  const simple = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    const: value,
    enum: fc.array(value, { minLength: 1, maxLength: 3 }),
    minimum: small,
    maximum: small,
    exclusiveMinimum: small,
    exclusiveMaximum: small,
    minLength: small,
    minItems: small,
    maxItems: small,
    required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
    unevaluatedItems: fc.boolean(),
  };
  const nested = {
    properties: map('a', 'b', 'x-a'),
    patternProperties: map('^x-', 'a'),
    additionalProperties: any,
    propertyNames: any,
    dependentSchemas: map('a'),
    prefixItems: list,
    items: any,
    contains: any,
    unevaluatedProperties: any,
    if: any,
    then: any,
    not: any,
    allOf: list,
    anyOf: list,
    oneOf: list,
  };
  const keyword = ([name, given]: [string, fc.Arbitrary<unknown>]) => given.map((one) => ({ [name]: one }));
  const keywords = fc.oneof(...Object.entries({ ...simple, ...nested }).map(keyword));
  const leaf = fc.oneof(...Object.entries(simple).map(keyword));
  return {
    any: fc.oneof({ maxDepth: 3 }, leaf, fc.boolean(), { weight: 4, arbitrary: tie('one') }),
    one: fc.array(keywords, { minLength: 1, maxLength: 3 }).map((given): Json => Object.assign({}, ...given)),
  };
}).one;

it(proves('openapi.old', 'a schema for 3.0 allows more, never less'), () => {
  let accepted = 0;
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 20, maxLength: 20 }), (any, values) => {
      const accepts = ajv2020.compile(any);
      const old = toOpenApi30(any);
      const acceptsOld = ajvDraft7.compile(inDraft7(old) as object);
      for (const one of values.filter((other) => safely(() => accepts(other)))) {
        accepted++;
        const said = `${JSON.stringify(any)} accepts ${JSON.stringify(one)}, ${JSON.stringify(old)} does not`;
        expect(acceptsOld(one), said).toBe(true);
      }
    }),
    { numRuns: size(200, 1500) },
  );
  expect(accepted).toBeGreaterThan(size(30, 300));
});

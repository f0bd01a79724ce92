import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import { contractOf, type FunctionContract } from '../../src/contract/contract.ts';
import { diffContracts } from '../../src/contract/diff-contracts.ts';
import { diffSchemas } from '../../src/contract/diff-schemas.ts';
import { defineFunction } from '../../src/core/function.ts';
import { accepts } from '../../src/schema/accepts.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { size } from '../kit/sizes.ts';
import { schemas, values } from './arbitrary-schemas.ts';

const BASE: FunctionContract = {
  name: 'List',
  operationId: 'functions.List',
  title: 'List',
  description: 'Lists',
  input: { type: 'object' },
  results: [],
  errors: [],
  hints: {},
  task: 'never',
  http: { method: 'POST', path: undefined, cacheControl: 'no-cache' },
  scopes: 'public',
};
const route = (http: Partial<FunctionContract['http']>) => ({ http: { ...BASE.http, ...http } });
const empty = { prompts: [], resources: [] };

/** The lines of a change, breaking ones with a mark. */
function linesOf(before: readonly FunctionContract[], after: readonly FunctionContract[]): string[] {
  const contract = (functions: readonly FunctionContract[]) => JSON.parse(JSON.stringify({ ...empty, functions }));
  return diffContracts(contract(before), contract(after)).map(
    ({ kind, text, isBreaking }) => `${isBreaking ? '! ' : ''}${text || kind}`,
  );
}

const object = (properties: Record<string, JsonSchema>, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
});
const [text, whole] = [{ type: 'string' }, { type: 'integer' }];
const [number, none] = [{ type: 'number' }, { type: 'null' }];
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const tuple = (...prefixItems: JsonSchema[]): JsonSchema => ({ type: 'array', prefixItems });
const map = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties });
/** An object of a discriminated union. */
const kind = (name: string, more: Record<string, JsonSchema> = {}, ...required: string[]): JsonSchema =>
  object({ kind: { const: name }, ...more }, ...required);
const closed = (schema: JsonSchema): JsonSchema => ({ ...schema, additionalProperties: false });
/** A named type, and what refers to it. */
const naming = (A: JsonSchema, schema: JsonSchema): JsonSchema => ({ ...schema, $defs: { A } });
const A = '#/$defs/A';
const either = (...anyOf: JsonSchema[]): JsonSchema => ({ anyOf });
/** As plain functions describe a parameter `input` that is a union. */
const union = (...oneOf: JsonSchema[]): JsonSchema => ({ type: 'object', oneOf });
const tree = (leaf: JsonSchema): JsonSchema => ({
  $ref: '#/$defs/Tree',
  $defs: { Tree: object({ leaf, children: { type: 'array', items: { $ref: '#/$defs/Tree' } } }, 'leaf') },
});

type Row = [what: string, before: JsonSchema, after: JsonSchema, ...lines: string[]];

/** Of a parameter named a. */
const PARAMETERS: readonly Row[] = [
  ['another type', text, whole, '! a is now integer, was string'],
  ['a wider type', whole, number, 'a is now number, was integer'],
  ['a narrower type', number, whole, '! a is now integer, was number'],
  ['anything', text, {}, 'a is now any, was string'],
  ['nullable', text, either(text, none), 'a also accepts null'],
  ['nullable, as a list of types', text, { type: ['string', 'null'] }, 'a also accepts null'],
  ['no longer nullable', either(text, none), text, '! a no longer accepts null'],
  ['a union that grows', text, either(text, whole), 'a is now string | integer, was string'],
  ['a union that shrinks', either(text, whole), text, '! a is now string, was string | integer'],
  ['a removed enum member', { enum: ['s', 'm'] }, { enum: ['s'] }, '! a no longer accepts "m"'],
  ['a new enum member', { enum: ['s'] }, { enum: ['s', 'm'] }, 'a also accepts "m"'],
  ['other enum members', { enum: ['s'] }, { const: 'm' }, '! a is now "m", was "s"'],
  ['an enum that becomes a string', { enum: ['s'] }, text, 'a is now string, was "s"'],
  ['a string that becomes an enum', text, { enum: ['s'] }, '! a is now "s", was string'],
  ['a lower maximum', { ...whole, maximum: 9 }, { ...whole, maximum: 5 }, '! a: maximum is now 5, was 9'],
  ['a higher maximum', { ...whole, maximum: 5 }, { ...whole, maximum: 9 }, 'a: maximum is now 9, was 5'],
  ['a higher minimum', { ...whole, minimum: 0 }, { ...whole, minimum: 1 }, '! a: minimum is now 1, was 0'],
  ['a first limit', text, { ...text, maxLength: 5 }, '! a: maxLength is now 5'],
  ['a limit that is gone', { ...text, maxLength: 5 }, text, 'a: maxLength is no longer 5'],
  ['another pattern', { ...text, pattern: 'a' }, { ...text, pattern: 'b' }, '! a: pattern is now "b", was "a"'],
  ['a format', text, { ...text, format: 'date' }, '! a: format is now "date"'],
  ['another default', { ...whole, default: 1 }, { ...whole, default: 2 }, 'a: default is now 2, was 1'],
  ['a field of an object', object({ b: text }), object({ b: text, c: text }, 'c'), '! a.c added, required'],
  ['the items of a list', list(text), list(whole), '! a[] is now integer, was string'],
  ['a tuple', tuple(text), tuple(text, text), '! a is now a list of 2 values, was one of 1'],
  ['values of a record', map(text), map(whole), '! a.* is now integer, was string'],
  ['a smaller union', { oneOf: [kind('x'), kind('y')] }, { oneOf: [kind('y')] }, '! a accepts fewer kinds of values'],
  [
    'a member of a discriminated union',
    { oneOf: [kind('x', { v: text }), kind('y', { v: text })] },
    { oneOf: [kind('y', { v: whole }), kind('x', { v: text })] },
    '! a.v is now integer, was string',
  ],
  ['values that a new limit refuses', { enum: [1, 2] }, { ...whole, minimum: 2 }, '! a is now integer, was 1 | 2'],
  ['a limit next to listed values', { enum: [1, 2] }, { enum: [1, 2], minimum: 2 }, '! a no longer accepts 1'],
  ['a default that is gone', { ...whole, default: 1 }, whole, 'a: default is no longer 1'],
];

const INPUTS: readonly Row[] = [
  ['nothing', object({ a: text }), object({ a: text })],
  ['a new required parameter', object({}), object({ a: text }, 'a'), '! parameter a added, required'],
  ['a new optional parameter', object({}), object({ a: text }), 'parameter a added'],
  ['a removed parameter', object({ a: text }), object({}), '! parameter a removed'],
  ['a parameter that is required now', object({ a: text }), object({ a: text }, 'a'), '! parameter a is now required'],
  ['a parameter that is optional now', object({ a: text }, 'a'), object({ a: text }), 'parameter a is now optional'],
  [
    'a description',
    object({ a: { ...text, title: 'x' } }),
    object({ a: { ...text, title: 'y' } }),
    'description changed',
  ],
  ['other fields', object({}), closed(object({})), '! input no longer accepts other fields'],
  ['a recursive type', tree(text), tree(whole), '! parameter leaf is now integer, was string'],
  [
    'a field of a member of a union at the root',
    union(kind('card', { n: text }, 'kind', 'n'), kind('cash', {}, 'kind')),
    union(kind('card', { n: text }, 'kind', 'n'), kind('cash', { place: text }, 'kind', 'place')),
    '! parameter place added, required',
  ],
  [
    'another member of a union at the root',
    union(kind('card', {}, 'kind'), kind('cash', {}, 'kind')),
    union(kind('card', {}, 'kind'), kind('iban', {}, 'kind')),
    '! parameter kind is now "iban", was "cash"',
  ],
  [
    'a description in a union at the root',
    union(kind('card'), kind('cash')),
    union({ ...kind('card'), description: 'x' }, kind('cash')),
    'description changed',
  ],
  [
    'fields next to a union',
    { ...union(object({ x: text }), object({ y: text })), properties: { a: text } },
    { ...union(object({ x: text }), object({ y: text })), properties: { a: whole } },
    '! parameter a is now integer, was string',
  ],
  [
    'a keyword next to a reference',
    naming(text, object({ a: { $ref: A, maxLength: 9 } })),
    naming(text, object({ a: { $ref: A, maxLength: 5 } })),
    '! parameter a: maxLength is now 5, was 9',
  ],
  [
    'what allOf refers to',
    naming(text, object({ a: { allOf: [{ $ref: A }] } })),
    naming(whole, object({ a: { allOf: [{ $ref: A }] } })),
    '! parameter a: allOf changed',
  ],
  ['a type that gets a name', object({ a: text }), naming(text, object({ a: { $ref: A } })), 'description changed'],
  ['only required', { type: 'object' }, { type: 'object', required: ['a'] }, '! parameter a is now required'],
  [
    'a union of which only one may hold',
    either(object({}), object({ a: text })),
    { oneOf: [object({}), object({ a: text })] },
    '! input changed',
  ],
  [
    'a field of a record',
    map(text),
    { type: 'object', additionalProperties: text, properties: { a: whole } },
    'parameter a added',
    '! parameter a is now integer, was string',
  ],
];

const RESULTS: readonly Row[] = [
  ['a new field', object({}), object({ a: text }, 'a'), 'result.a added'],
  ['a removed field', object({ a: text }), object({}), '! result.a removed'],
  ['a field that is optional now', object({ a: text }, 'a'), object({ a: text }), '! result.a is now optional'],
  ['a field that is always there', object({ a: text }), object({ a: text }, 'a'), 'result.a is now always there'],
  ['nullable', text, either(text, none), '! result may now be null'],
  ['no longer nullable', either(text, none), text, 'result is no longer null'],
  ['a new enum member', { enum: ['s'] }, { enum: ['s', 'm'] }, '! result may now be "m"'],
  ['a removed enum member', { enum: ['s', 'm'] }, { enum: ['s'] }, 'result is no longer "m"'],
  ['a wider type', whole, number, '! result is now number, was integer'],
  ['a narrower type', number, whole, 'result is now integer, was number'],
  ['a higher maximum', { ...whole, maximum: 5 }, { ...whole, maximum: 9 }, '! result: maximum is now 9, was 5'],
  ['the items of a list', list(text), list(whole), '! result[] is now integer, was string'],
  ['other fields', object({}), closed(object({})), 'result has no other fields'],
  [
    'a record that becomes an object',
    map(number),
    closed(object({ total: number }, 'total')),
    'result.total added',
    '! result no longer has other fields',
  ],
  [
    'an object that becomes a record',
    closed(object({ total: number }, 'total')),
    map(number),
    '! result.total removed',
    'result may have other fields',
  ],
  ['values of a record', map(number), map(text), '! result.* is now string, was number'],
  ['a union with one member more', kind('x'), { oneOf: [kind('y'), kind('x')] }, '! result has more kinds of values'],
];

describe('what a change of the contract means for callers', () => {
  const parameters = PARAMETERS.map(([what, before, after, ...lines]): Row => [
    what,
    object({ a: before }),
    object({ a: after }),
    ...lines.map((line) => line.replace(/^(! )?/, '$1parameter ')),
  ]);
  it.each([...parameters, ...INPUTS])('parameters: %s', (_what, before, after, ...lines) => {
    expect(linesOf([{ ...BASE, input: before }], [{ ...BASE, input: after }])).toEqual(lines);
  });

  it.each(RESULTS)('results: %s', (_what, before, after, ...lines) => {
    expect(linesOf([{ ...BASE, results: [before] }], [{ ...BASE, results: [after] }])).toEqual(lines);
  });

  it.each<[what: string, after: Partial<FunctionContract>, before: Partial<FunctionContract>, ...lines: string[]]>([
    ['a result, where there was none', { results: [text] }, {}, 'returns a value, was nothing'],
    ['no result', {}, { results: [text] }, '! returns nothing, was a value'],
    ['several results', { results: [text, text] }, { results: [text] }, '! returns 2 values, was a value'],
    ['one of several', { results: [text, whole] }, { results: [text, text] }, '! result1 is now integer, was string'],
    ['a new error', { errors: ['FULL'] }, {}, 'error FULL added'],
    ['a removed error', {}, { errors: ['FULL'] }, '! error FULL removed'],
    ['a description', { description: 'x' }, {}, 'description changed'],
    ['hints', { hints: { readOnly: true } }, {}, 'hints changed'],
    ['strict', { strict: true }, { strict: false }, '! refuses unknown arguments'],
    ['no conversion', { coerce: false }, { coerce: true }, '! no longer converts texts'],
    ['an operationId', { operationId: 'list' }, {}, '! is now list to MCP and OpenAPI clients, was functions.List'],
    ['tasks that are possible', { task: 'allowed' }, {}, 'task is now allowed, was never'],
    ['tasks only', { task: 'always' }, {}, '! task is now always, was never'],
    ['a path', route({ path: '/x' }), {}, 'HTTP method, path or caching changed'],
    ['another path', route({ path: '/y' }), route({ path: '/x' }), '! HTTP method, path or caching changed'],
    ['GET in addition', route({ method: 'GET' }), {}, 'HTTP method, path or caching changed'],
    ['no GET', {}, route({ method: 'GET' }), '! HTTP method, path or caching changed'],
    ['caching', route({ cacheControl: 'public' }), {}, 'HTTP method, path or caching changed'],
    ['no tasks', {}, { task: 'allowed' }, '! task is now never, was allowed'],
    ['a new scope', { scopes: ['a', 'b'] }, { scopes: ['a'] }, '! needs scope a and b, was a'],
    ['a first scope', { scopes: ['a'] }, { scopes: [] }, '! needs scope a, was none'],
    ['another scope', { scopes: ['b'] }, { scopes: ['a'] }, '! needs scope b, was a'],
    ['a scope less', { scopes: ['a'] }, { scopes: ['a', 'b'] }, 'needs scope a, was a and b'],
    ['no scope', { scopes: [] }, { scopes: ['a'] }, 'needs no scope, but a known caller, was a'],
    ['known callers only', { scopes: [] }, {}, '! needs no scope, but a known caller, was public'],
    ['everybody', {}, { scopes: ['a'] }, 'may now be called by everybody'],
    ['scopes by arguments', { scopes: 'by arguments' }, { scopes: ['a'] }, '! scopes now depend on the arguments'],
    ['fixed scopes', { scopes: ['a'] }, { scopes: 'by arguments' }, '! needs scope a, was by arguments'],
    ['chunks', { chunk: whole }, { chunk: text }, '! chunk is now integer, was string'],
  ])('functions: %s', (_what, after, before, ...lines) => {
    expect(linesOf([{ ...BASE, ...before }], [{ ...BASE, ...after }])).toEqual(lines);
  });

  it('functions that are new, and functions that are gone', () => {
    expect(linesOf([BASE], [BASE, { ...BASE, name: 'Add' }])).toEqual(['added']);
    expect(linesOf([BASE, { ...BASE, name: 'Add' }], [BASE])).toEqual(['! removed']);
  });

  it('a schema that refers to itself endlessly is compared', () => {
    const loop = { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } };
    expect(linesOf([{ ...BASE, results: [loop] }], [{ ...BASE, results: [text] }])).toEqual([
      '! result is now string, was nothing',
    ]);
  });

  it('of real apps', () => {
    const app = (...functions: Parameters<typeof defineFunction>[0][]) =>
      contractOf(createApp({ name: 'A', version: '1.0.0', functions: functions.map((one) => defineFunction(one)) }));
    const input = object({ x: { ...whole, description: 'X' } });
    const add = { name: 'Add', description: 'Adds', input, run: () => {} };
    const after = app({ ...add, output: { ...whole, description: 'Sum' } }, { ...add, name: 'Sub' });
    expect(diffContracts(app(add), after)).toEqual([
      { kind: 'added', subject: 'Sub', text: '', isBreaking: false },
      { kind: 'changed', subject: 'Add', text: 'returns a value, was nothing', isBreaking: false },
    ]);
  });
});

describe('generated schemas', () => {
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
    minContains: fc.constantFrom(0, 1, 2),
    dependentSchemas: fc.dictionary(fc.constantFrom('a', 'b'), schemas),
    if: schemas,
    then: schemas,
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

  /** What a part describes, or accepts, also matters to these. */
  const CLOSED: typeof AROUND = [
    (part) => ({ ...part, additionalProperties: false }),
    (part) => ({ ...part, unevaluatedProperties: false }),
    (part) => ({ ...part, unevaluatedItems: false }),
    (part) => ({ oneOf: [part, { type: 'object', properties: { a: { type: 'integer' } } }, { type: 'string' }] }),
  ];
  const around = fc.constantFrom(...AROUND);
  const anywhere = fc.constantFrom(...AROUND, ...CLOSED);
  /** The same for all schemas: making them up takes longer than comparing. */
  const EXAMPLES = fc.sample(values, { numRuns: 80, seed: 5 });

  describe('a schema that accepts other values than before', () => {
    /** Another schema, or the same with another keyword. */
    const pairs = fc.oneof(
      fc.tuple(parts, parts),
      fc.tuple(parts, keywords).map(([one, [name, value]]) => [one, { ...one, [name]: value }] as const),
    );
    it.each(['input', 'output'] as const)('is never only described differently: %s', (direction) => {
      fc.assert(
        fc.property(anywhere, pairs, (put, [one, other]) => {
          const [before, after] = [complete(put(one)), complete(put(other))];
          const isDifferent = (value: unknown) => accepts(value, before, before) !== accepts(value, after, after);
          if (EXAMPLES.some(isDifferent)) expect(diffSchemas(before, after, direction)).not.toEqual([]);
        }),
        { numRuns: size(200, 1000) },
      );
    });

    it.each(['input', 'output'] as const)('is breaking, unless fields are added: %s', (direction) => {
      const [from, to] = direction === 'input' ? ([0, 1] as const) : ([1, 0] as const);
      fc.assert(
        fc.property(anywhere, parts, keywords, fc.boolean(), (put, one, [name, changed], isRemoved) => {
          const [plain, other] = [complete(put(one)), complete(put({ ...one, [name]: changed }))];
          const both = isRemoved ? ([other, plain] as const) : ([plain, other] as const);
          // A parameter that refuses what it took, or a result that was not possible before.
          const breaks = (value: unknown) =>
            accepts(value, both[from], both[from]) && !accepts(value, both[to], both[to]);
          if (!EXAMPLES.some(breaks)) return;
          const changes = diffSchemas(...both, direction);
          const isBreaking = ({ effect, text: words }: (typeof changes)[number]) =>
            effect === 'both' ||
            effect === (direction === 'input' ? 'narrower' : 'wider') ||
            /^(?:added|may have other fields)$/.test(words);
          expect(changes.some(isBreaking)).toBe(true);
        }),
        { numRuns: size(200, 3000) },
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
});

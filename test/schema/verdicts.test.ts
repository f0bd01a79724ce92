import { createApp, type Schema } from 'everywire';
import { describe, expect, it } from 'vitest';
import { compileRevive } from '../../src/schema/revive.ts';
import { forms } from '../../src/schema/wire-forms.ts';
import { compileCheck } from '../../src/schema/check.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { parseJson } from '../../src/schema/parse-json.ts';
import { asJson } from '../kit/as-json.ts';
import { expectErrors } from '../kit/errors.ts';
import { proves } from '../promises.ts';

expectErrors(/without the fields that the schema does not describe|expected at least 1 field|expected unique items/);

const appOf = (
  input: JsonSchema,
  output: Schema = { description: 'What came' },
  run: (given: unknown) => unknown = (given) => given,
) => createApp({ name: 'A', version: '1', functions: [{ name: 'F', description: 'F', input, output, run }] });
/** What a function receives, or the message if it is not called. */
async function received(input: JsonSchema, given: unknown): Promise<unknown> {
  const outcome = await appOf(input).call('F', given);
  return outcome.ok ? outcome.data : outcome.error.message;
}

/** The same for a JSON body. */
async function answered(input: JsonSchema, body: string): Promise<unknown> {
  const response = await appOf(input).fetch(new Request('http://localhost/functions/F', asJson(body)));
  const { result, error } = (await response.json()) as { result?: unknown; error?: string };
  return result ?? error;
}

const described = { description: 'd' };

describe('verdicts', () => {
  const object = (schema: JsonSchema) => ({ type: 'object', ...schema });
  it.each<[JsonSchema, accepted: unknown[], refused: unknown[]]>([
    [{ type: 'number', allOf: [{ type: 'integer' }] }, [1], [1.5]],
    [{ type: 'array', items: { type: 'number', allOf: [{ type: 'integer' }, { minimum: 0 }] } }, [[1]], [[1.5], [-1]]],
    [
      object({ anyOf: [{ required: ['a'] }, { required: ['b'] }], unevaluatedProperties: { type: 'string' } }),
      [{ a: 'x' }],
      [{}, { c: 'x' }, { a: 1 }],
    ],
    [{ items: { propertyNames: { anyOf: [{ const: 'a' }, { pattern: '^b' }] } } }, [[{ a: 1, bc: 2 }]], [[{ zzz: 1 }]]],
    [{ propertyNames: { $ref: '#/$defs/N' }, $defs: { N: { maxLength: 1 } } }, [{ a: 1 }], [{ ab: 1 }]],
    [{ dependentRequired: { toString: ['a'] } }, [{}, { a: 1 }], [JSON.parse('{"toString":1}')]],
    [object({ required: ['constructor'] }), [JSON.parse('{"constructor":1}')], [{}]],
    [object({ required: ['a'], additionalProperties: false }), [], [{}, { a: 1 }]],
    [{ pattern: '^.{1,3}$' }, ['😀😀', 'abc'], ['', 'abcd']],
    [{ pattern: '^[^a]$' }, ['😀', 'b'], ['a']],
    [{ pattern: '^\\S{2}$' }, ['ab', '😀😀'], ['😀']],
    [{ pattern: '^[\\u{1F600}]$' }, ['😀'], ['u', '😁']],
    [
      { format: 'regex' },
      ['\\p{L}\\p{L}[\\p{L}\\p{L}]', '\\\\'],
      ['\\p{L}\\p{No}\\p{X}', '\\p{L}\\p{L', '[\\p{L}\\p{L}-z]', '\\\\p{L}'],
    ],
    [{ multipleOf: 0.01 }, [4.35, 0.07, 1.1, 3], [4.351]],
    [{ type: 'integer' }, [1, -0, 9007199254740991], [1.5, 9007199254740992, -9007199254740992, 1e21]],
    [{ type: 'number' }, [1e21, 1.5], [NaN, Infinity]],
  ])('%j', (schema, accepted, refused) => {
    const check = compileCheck(schema);
    for (const value of accepted) expect(check(value), JSON.stringify(value)).toBeUndefined();
    for (const value of refused) expect(check(value)?.length, JSON.stringify(value)).toBeGreaterThan(0);
  });
});

describe('fields that a schema describes in other ways than by name', () => {
  const one = { type: 'string', ...described };
  const whole = { type: 'integer', ...described };
  const WHOLE = { type: 'object', properties: { a: whole }, unevaluatedProperties: { type: 'integer' } };
  it.each<[string, JsonSchema, given: unknown, received: unknown]>([
    [
      'dependentSchemas',
      {
        type: 'object',
        properties: { card: one },
        dependentSchemas: { card: { properties: { billing: one }, required: ['billing'] } },
      },
      { card: '1', billing: 'x' },
      { card: '1', billing: 'x' },
    ],
    ['unevaluatedProperties', WHOLE, { a: 1, b: 2 }, { a: 1, b: 2 }],
    ['unevaluatedProperties, broken', WHOLE, { a: 1, b: 'x' }, 'Invalid arguments: /b: expected integer, got "x"'],
    ['minProperties alone', { type: 'object', minProperties: 1 }, { b: 1 }, { b: 1 }],
    ['propertyNames alone', { type: 'object', propertyNames: { pattern: '^x' } }, { xa: 1 }, { xa: 1 }],
    ['nothing at all', { type: 'object' }, { b: { c: 1 } }, { b: { c: 1 } }],
    [
      'a condition',
      {
        type: 'object',
        properties: { kind: { enum: ['a', 'b'], ...described } },
        if: { properties: { kind: { const: 'a' } } },
        then: { properties: { size: whole } },
      },
      { kind: 'a', size: '3', other: 1 },
      { kind: 'a', size: 3 },
    ],
  ])(`${proves('input.unknown-dropped', 'reach the function')}: %s`, async (_, schema, given, expected) => {
    expect(await received(schema, given)).toEqual(expected);
  });

  it(proves('build.all-at-once', 'a required field that is declared nowhere is reported when the app is built'), () => {
    expect(() => appOf({ type: 'object', properties: { a: one }, required: ['b'] })).toThrow(
      'input: "b" is required but not declared',
    );
    const items = { type: 'object', properties: { a: one }, allOf: [{ required: ['b'] }] };
    expect(() => appOf({ type: 'object' }, { type: 'array', items, ...described })).toThrow(
      'output: "b" is required but',
    );
  });
});

describe('numbers that JavaScript cannot hold', () => {
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['-9223372036854775808', undefined],
    ['9223372036854775807', '9223372036854775807'],
    ['[1, {"a": 123456789012345678901234567890}]', '123456789012345678901234567890'],
    ['9007199254740993.0', '9007199254740993.0'],
    ['9.007199254740993e15', '9.007199254740993e15'],
    ['-90071992547409.93E2', '-90071992547409.93E2'],
    ['9007199254740992.0', undefined],
    ['1e23', undefined],
    [`9007199254740993.${'0'.repeat(500)}`, `9007199254740993.${'0'.repeat(500)}`],
    ['1e-400', '1e-400'],
    ['1e400', '1e400'],
    ['0.10000000000000000555', undefined],
    ['1.7976931348623157e308', undefined],
    ['0e-999', undefined],
    ['"9007199254740993"', undefined],
    ['"\\\\\\"9007199254740993"', undefined],
    ['{"9007199254740993": 1}', undefined],
  ])(proves('input.no-loss', 'are kept as they were written: %s'), (text, inexact) => {
    const found = JSON.stringify(parseJson(text)).match(/"text":"([^"]+)"/)?.[1];
    expect(found).toBe(inexact);
    if (inexact === undefined) expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('are errors wherever they stand, also in text that is repaired', async () => {
    const input: JsonSchema = {
      type: 'object',
      properties: {
        i: { type: 'integer', ...described },
        n: { type: 'number', ...described },
        l: { type: 'array', items: { type: 'number' }, ...described },
        any: described,
      },
    };
    const exact = (text: string) => `${text} is not exact as a JSON number; send it as a string`;
    for (const [given, message] of [
      ['{"i": 9007199254740993}', `/i: ${exact('9007199254740993')}`],
      ['{"n": 1e-400}', `/n: ${exact('1e-400')}`],
      ['{"any": [123456789012345678901]}', `/any/0: ${exact('123456789012345678901')}`],
      ['{"l": "[9007199254740993]"}', `/l/0: ${exact('9007199254740993')}`],
    ] as const) {
      expect(await answered(input, given)).toBe(`Invalid arguments: ${message}`);
    }
    const secret: JsonSchema = { ...input, properties: { n: { type: 'integer', format: 'password', ...described } } };
    expect(await answered(secret, '{"n": 9007199254740993}')).toBe(`Invalid arguments: /n: ${exact('the number')}`);
    // Nobody reads what is dropped.
    expect(await answered(input, '{"i": 1, "other": [9007199254740993]}')).toEqual({ i: 1 });
    const params = { name: 'functions.F', arguments: { i: 1 }, _meta: { ns: 0 } };
    const message = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params });
    for (const [field, expected] of [
      ['ns', /"result"/],
      ['progressToken', /"id":3,"error"|"error".*"id":3/],
    ] as const) {
      const body = message.replace('"ns":0', `"${field}":9007199254740993`);
      const init = asJson(body, { accept: 'application/json, text/event-stream' });
      const response = await appOf(input).fetch(new Request('http://localhost/mcp', init));
      expect(await response.text()).toMatch(expected);
    }
    expect(await received(input, { i: 2 ** 53 })).toMatch(
      /^Invalid arguments: \/i: expected integer of at most ±90071/,
    );
    expect(await answered(input, '{"n": 1e21, "i": 9007199254740991}')).toEqual({ n: 1e21, i: 9007199254740991 });
  });

  it('throws as JSON.parse does', () => {
    const broken = [
      '{"a":9007199254740993',
      '[9007199254740993 1]',
      '9007199254740993.',
      '{9007199254740993:1}',
      '01e55',
    ];
    for (const text of broken) expect(() => parseJson(text), text).toThrow(SyntaxError);
  });
});

describe('unions', () => {
  const object = (properties: Record<string, JsonSchema>, ...required: string[]) => ({
    type: 'object',
    properties,
    required,
  });
  const [number, integer, string] = ['number', 'integer', 'string'].map((type) => ({ type }));
  const circle = object({ kind: { const: 'circle' }, r: number! }, 'kind', 'r');
  const d: JsonSchema = { oneOf: [circle, object({ kind: { const: 'box' }, w: number! }, 'kind', 'w')] };
  const untagged: JsonSchema = {
    anyOf: [object({ id: integer! }, 'id'), object({ name: string!, size: integer! }, 'name'), string!],
  };
  const version = (kind: string, value: number) => object({ kind: { const: kind }, version: { const: value } }, 'kind');
  const two: JsonSchema = { anyOf: [version('a', 1), version('b', 2)] };
  it.each([
    [d, { kind: 'ball' }, '/kind: expected one of "circle", "box", got "ball"'],
    [d, {}, '/kind: required, expected one of "circle", "box"'],
    [d, { kind: 'box', w: 'x' }, '/w: expected number, got "x"'],
    [d, { kind: 'circle', w: 1 }, '/r: required, expected number'],
    [d, { kind: {} }, '/kind: expected one of "circle", "box", got object'],
    [d, { kind: null }, '/kind: expected one of "circle", "box", got null'],
    [two, { kind: 'a', version: 2 }, '/version: expected 1, got 2'],
    [d, 'x', ': expected object, got "x"'],
    [untagged, { name: 'a', size: 'b' }, '/size: expected integer, got "b"'],
    [untagged, { nam: 'a' }, '/id: required, expected integer'],
    [untagged, 5, ': expected object or string, got 5'],
  ])(
    proves('input.all-problems', 'say what is wrong in the branch that is meant') + ' %#',
    (schema, value, message) => {
      expect(compileCheck(schema)(value)?.map((one) => `${one.pointer}: ${one.message}`)).toEqual([message]);
    },
  );
});

describe('defaults and forms', () => {
  const more: JsonSchema = { properties: { at: forms.date, n: { type: 'integer', default: 4 } } };
  it.each([
    ['a condition', { if: { required: ['at'] }, then: more }],
    ['the other side of a condition', { if: { required: ['other'] }, else: more }],
    ['dependentSchemas', { dependentSchemas: { at: more } }],
    ['allOf', { allOf: [more] }],
    ['a union', { anyOf: [{ type: 'string' }, more] }],
    ['one of two unions', { anyOf: [{ required: ['at'] }], oneOf: [{ type: 'string' }, more] }],
    ['a union below allOf', { allOf: [{ properties: { at: forms.date } }, { oneOf: [{ type: 'string' }, more] }] }],
  ])('are read in %s', (_, schema: JsonSchema) => {
    const at = new Date('2024-01-01T00:00:00.000Z');
    expect(compileRevive(schema, true)?.({ at: at.toISOString() })).toEqual({ at, n: 4 });
  });
});

describe('what a result may have', () => {
  const user = { type: 'object', properties: { id: { type: 'string' } } };
  const leaked = { id: 'x', passwordHash: 'h' };
  it.each<[string, JsonSchema, returned: unknown, sent: unknown]>([
    ['properties', user, leaked, { id: 'x' }],
    ['items', { type: 'array', items: user }, [leaked, leaked], [{ id: 'x' }, { id: 'x' }]],
    ['a reference', { $ref: '#/$defs/U', $defs: { U: user } }, leaked, { id: 'x' }],
    ['a union', { anyOf: [user, { type: 'null' }] }, leaked, { id: 'x' }],
    ['allOf', { allOf: [user, { properties: { n: { type: 'integer' } } }] }, { ...leaked, n: 1 }, { id: 'x', n: 1 }],
    ['deeper', { properties: { user } }, { user: leaked, at: 1 }, { user: { id: 'x' } }],
    ['explicit additionalProperties', { ...user, additionalProperties: { type: 'string' } }, leaked, leaked],
    ['a pattern', { ...user, patternProperties: { '^x-': {} } }, { ...leaked, 'x-a': 1 }, { id: 'x', 'x-a': 1 }],
    ['nothing', { type: 'object' }, leaked, leaked],
    ['a value in a map', { type: 'object', additionalProperties: user }, { a: leaked }, { a: { id: 'x' } }],
    ['a second union', { anyOf: [user], oneOf: [{ properties: { n: {} }, required: ['n'] }] }, { n: 1 }, { n: 1 }],
    ['a listed value', { properties: {}, enum: [leaked] }, leaked, leaked],
    [
      'a condition',
      {
        properties: { k: { type: 'string' } },
        if: { properties: { k: { const: 'a' } } },
        then: { properties: { s: {} } },
      },
      { k: 'b', s: 1 },
      { k: 'b' },
    ],
    ...(
      [
        { properties: { id: {} }, unevaluatedProperties: false },
        { patternProperties: { '^id': {}, '^no': { type: 'string' } } },
        { additionalProperties: true, maxProperties: 1 },
        { additionalProperties: true, propertyNames: { const: 'id' } },
        { const: { id: 'x' } },
      ] as JsonSchema[]
    ).map((schema) => ['no undefined field', schema, { id: 'x', no: undefined }, { id: 'x' }] as never),
  ])(proves('output.described', 'is what its schema describes: %s'), async (_, schema, returned, sent) => {
    const app = appOf({ type: 'object' }, { ...schema, ...described }, () => returned as never);
    expect(await app.call('F')).toEqual({ ok: true, data: sent });
    const response = await app.fetch(new Request('http://localhost/functions/F', { method: 'POST' }));
    expect(await response.json()).toEqual({ result: sent });
  });
});

it('an undefined field of a result is none where fields count', async () => {
  const rows: JsonSchema = {
    type: 'array',
    items: { additionalProperties: true, minProperties: 1 },
    uniqueItems: true,
  };
  for (const returned of [[{ a: undefined }], [{ a: 1, b: undefined }, { a: 1 }]]) {
    const app = appOf({ type: 'object' }, { ...rows, ...described }, () => returned);
    expect(await app.call('F')).toMatchObject({ ok: false, error: { code: 'INVALID_OUTPUT' } });
  }
});

it('an anchor is the place it names', async () => {
  const input: JsonSchema = {
    type: 'object',
    properties: { n: { $ref: '#count', ...described } },
    $defs: { 'Co/unt %': { $anchor: 'count', type: 'integer' } },
  };
  expect(await received(input, { n: '1' })).toEqual({ n: 1 });
  expect(await received(input, { n: 'x' })).toBe('Invalid arguments: /n: expected integer, got "x"');
  expect(appOf(input).functions[0]?.inputSchema.properties).toEqual({
    n: { $ref: '#/$defs/Co~1unt%20%25', ...described },
  });
});

it.each([
  [{ $ref: 'https://example.test/a.json' }, 'is in another document'],
  [{ $ref: 'other.json#/a' }, 'is in another document'],
  [{ $ref: '#nowhere' }, '"#nowhere" is not found in this schema'],
  [{ $ref: '#/%zz' }, 'is not found in this schema'],
  [{ $dynamicRef: '#a' }, 'dynamic references are not supported'],
  [{ $id: 'https://example.test/inner', type: 'string' }, 'an $id inside a schema changes what references mean'],
  [{ dependencies: { a: ['b'] } }, 'belongs to an older draft'],
  [{ dependentSchemas: { a: { $ref: '#/properties/v' } } }, 'refers to itself'],
  [{ $ref: '#/properties/v/x/A', x: { A: { type: 'strnig' } } }, '#/properties/v/x/A/type: expected "string"'],
  [{ $ref: '#/properties/v/x/A', x: { A: { $ref: '#/properties/v/x/B' }, B: { pattern: '(' } } }, 'regular expression'],
])(`${proves('build.all-at-once', 'refuses what it does not support, in a sentence')} %#`, (schema, sentence) => {
  expect(() => appOf({ type: 'object', properties: { v: { ...schema, ...described } } })).toThrow(sentence);
});

it(proves('input.absent', 'fills in a default for a field that is undefined in this process'), async () => {
  const input: JsonSchema = { type: 'object', properties: { a: { type: 'integer', default: 5, ...described } } };
  expect(await received(input, { a: undefined })).toEqual({ a: 5 });
});

it(proves('input.no-loss', 'leaves a string that two branches could read differently'), async () => {
  const either = (schema: JsonSchema) => ({ type: 'object', properties: { v: { ...schema, ...described } } });
  for (const schema of [{ type: ['integer', 'boolean'] }, { anyOf: [{ type: 'integer' }, { type: 'boolean' }] }]) {
    expect(await received(either(schema), { v: '1' })).toMatch(/^Invalid arguments/);
    expect(await received(either(schema), { v: '7' })).toEqual({ v: 7 });
  }
});

it('a result that is valid only with fields that are not described is not sent', async () => {
  const properties = { a: { type: 'string', description: 'A' } };
  for (const demand of [{ dependentRequired: { a: ['b'] } }, { minProperties: 2 }, { not: { maxProperties: 1 } }]) {
    const output = { type: 'object', description: 'What is sent', properties, ...demand };
    const outcome = await appOf({ type: 'object' }, output, () => ({ a: 'x', b: 'y' })).call('F', {});
    expect(outcome).toMatchObject({ error: { code: 'INVALID_OUTPUT' } });
  }
});

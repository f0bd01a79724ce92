import { Ajv2020 } from 'ajv/dist/2020.js';
import { createApp } from 'everywire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/core/limits.ts';
import { allowsType } from '../../src/schema/allows-type.ts';
import { findExcess } from '../../src/schema/bounds.ts';
import { compileCheck } from '../../src/schema/check.ts';
import { numberFromText } from '../../src/schema/from-text.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { mistakesIn } from '../../src/schema/mistakes.ts';
import { parseJson } from '../../src/schema/parse-json.ts';
import { repair } from '../../src/schema/repair.ts';
import { suggest } from '../../src/schema/suggest.ts';
import { toJson } from '../../src/schema/to-json.ts';
import { writeJson } from '../../src/schema/write-json.ts';
import { cutNesting } from '../../src/wires/cut-nesting.ts';
import { fn, object } from '../kit/functions.ts';
import { expectLinear } from '../kit/linear.ts';
import { size } from '../kit/sizes.ts';
import { pick, seeded } from '../mcp/generated-requests.ts';
import { proves } from '../promises.ts';
import { schemas, values } from './arbitrary-schemas.ts';

/** Lists of 400 levels, each with a string of such lists inside. */
function deepStrings(strings: number): string {
  let text = '[]';
  for (let i = 0; i < strings; i++) text = `${'['.repeat(400)}${JSON.stringify(text)}${']'.repeat(400)}`;
  return text;
}

const repaired = (value: unknown, schema: JsonSchema) => repair(value, schema, schema);

describe('repair', () => {
  it(proves('input.accepted-untouched', 'never touches what the schema accepts'), () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        if (compileCheck(schema)(value)) return;
        expect(repaired(value, schema)).toEqual({ value, repairs: [] });
      }),
      { numRuns: size(300, 2000) },
    );
  });

  it(proves('input.no-loss', 'changes nothing that it does not log, and is finished after one pass'), () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const once = repaired(value, schema);
        if (once.repairs.length === 0) expect(once.value).toEqual(value);
        if (!compileCheck(schema)(once.value)) expect(repaired(once.value, schema).repairs).toEqual([]);
      }),
      { numRuns: size(300, 2000) },
    );
  });

  it(proves('input.bounded', 'takes a time that grows with the value, also in unions inside unions'), () => {
    const inner = { left: { $ref: '#/$defs/E' }, right: { $ref: '#/$defs/E' } };
    const operation = (op: string) => ({
      type: 'object',
      properties: { op: { const: op }, ...inner },
      required: ['op', 'left', 'right'],
    });
    const schema: JsonSchema = {
      type: 'object',
      properties: { e: { $ref: '#/$defs/E' } },
      $defs: { E: { anyOf: [{ type: 'number' }, operation('add'), operation('mul'), operation('sub')] } },
    };
    const chain = (leaf: unknown) => {
      let e = leaf;
      for (let i = 0; i < 50; i++) e = { op: 'mul', left: e, right: '2' };
      return { e };
    };
    expect(compileCheck(schema)(repaired(chain('1'), schema).value)).toBeUndefined();
    expect(compileCheck(schema)(repaired(chain('x'), schema).value)?.length).toBe(1);
  });

  it.each([
    ['a string', (levels: number) => '['.repeat(levels) + ']'.repeat(levels)],
    ['strings in strings', () => deepStrings(12)],
  ])(proves('input.bounded', 'leaves JSON in %s to the check of bounds, if it is deeper than the stack'), (_, make) => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { value: { $ref: '#/$defs/list' } },
      $defs: { list: { type: 'array', items: { $ref: '#/$defs/list' } } },
    };
    const { value } = repaired({ value: make(100_000) }, schema);
    expect(findExcess(value, defaultLimits)?.message).toBe('nested deeper than 64 levels');
  });

  it(proves('input.text-to-number', 'reads the field that tells the branches of a union apart'), () => {
    const branch = (v: unknown, more: object) => ({ type: 'object', properties: { v: { const: v }, ...more } });
    const [n, deep] = [{ n: { type: 'integer' } }, { in: { anyOf: [branch(true, {}), branch(false, {})] } }];
    const union = { anyOf: [branch(1, n), branch(2, deep), branch('a', n)] };
    for (const [given, meant] of [
      [
        { v: '1', n: '5' },
        { v: 1, n: 5 },
      ],
      [
        { v: '2', in: { v: 'false' } },
        { v: 2, in: { v: false } },
      ],
      [
        { v: 'a', n: '5' },
        { v: 'a', n: 5 },
      ],
      [{ v: '3' }, { v: '3' }],
    ] as const)
      expect(repaired(given, union).value).toEqual(meant);
    // "1" may be a number or a boolean; and what an open branch accepts is left alone.
    expect(repaired({ v: '1' }, { anyOf: [branch(1, {}), branch(true, {})] }).value).toEqual({ v: '1' });
    expect(repaired({ v: '1' }, { anyOf: [branch(1, {}), branch(2, {}), { type: 'object' }] }).value).toEqual({
      v: '1',
    });
  });

  it(proves('input.text-to-number', 'reaches fields named by a pattern, beside unions and in conditions'), () => {
    const pattern = { type: 'object', patternProperties: { '^n': { type: 'integer' } } };
    expect(repaired({ n1: '10', m: '10' }, pattern).value).toEqual({ n1: 10, m: '10' });
    const condition = { type: 'object', if: { required: ['a'] }, then: { properties: { n: { type: 'integer' } } } };
    expect(repaired({ a: 1, n: '10' }, condition).value).toEqual({ a: 1, n: 10 });
    const beside = { properties: { x: { type: 'integer' } }, anyOf: [{ required: ['x'] }, { required: ['y'] }] };
    expect(repaired({ x: '10' }, beside).value).toEqual({ x: 10 });
    const kind = (value: object) => ({ type: 'object', properties: { k: { const: value }, n: { type: 'integer' } } });
    const told = { oneOf: [kind({ a: 1 }), kind({ b: 1 })] };
    expect(repaired({ k: { a: 1 }, n: '3' }, told).value).toEqual({ k: { a: 1 }, n: 3 });
  });

  it(proves('input.bounded', 'reads hostile texts in time'), () => {
    expect(numberFromText(`1.${'0'.repeat(500_000)}1`)).toBeUndefined();
    expect(suggest('second', ['x'.repeat(500_000), 'secnd'])).toBe('secnd');
  });

  it(proves('input.text-to-number', 'reads back every number from its own text'), () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(numberFromText(JSON.stringify(number))).toBe(number === 0 ? 0 : number);
      }),
    );
  });

  it(proves('input.no-loss', 'reads a long decimal only if the number is that decimal'), () => {
    fc.assert(
      fc.property(fc.bigInt(), (big) => {
        const read = numberFromText(big.toString());
        if (read !== undefined) expect(BigInt(read)).toBe(big);
        else expect(Number.isSafeInteger(Number(big))).toBe(false);
      }),
    );
    expect(numberFromText('0.1')).toBe(0.1);
    expect(numberFromText('0.10000000000000000001')).toBeUndefined();
    for (const text of ['', ' 1', '1 ', '+1', '01', '.5', '1.', '0x1', '1_000', 'Infinity', 'NaN', '１']) {
      expect(numberFromText(text)).toBeUndefined();
    }
  });
});

describe('check', () => {
  it.each<[JsonSchema, unknown, string[]]>([
    [{ type: 'object', required: ['a'] }, {}, ['/a: required']],
    [{ type: ['integer', 'null'] }, 'x', [': expected integer or null, got "x"']],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, [': expected more than 0, got 0']],
    [{ type: 'string', maxLength: 2 }, 'abc', [': expected at most 2 characters, got "abc"']],
    [{ oneOf: [{ minimum: 3 }, { maximum: 9 }, { const: 0 }] }, 5, [': fits more than one of the alternatives']],
    [{ type: 'array', uniqueItems: true }, [1, 1], [': expected unique items, got array']],
    [{ type: 'string', format: 'password', minLength: 8 }, 'hunter2', [': expected at least 8 characters']],
    [
      {
        allOf: [{ properties: { a: {} } }],
        unevaluatedProperties: { type: 'string', format: 'password', minLength: 8 },
      },
      { k: 'hunter2' },
      ['/k: expected at least 8 characters'],
    ],
    [
      { type: 'object', properties: { k: { writeOnly: true, type: 'integer' } } },
      { k: 'secret' },
      ['/k: expected integer'],
    ],
    [
      {
        type: 'object',
        properties: { p: { $ref: '#/$defs/P' } },
        $defs: { P: { type: 'object', properties: { q: { type: 'integer' } }, required: ['q'] } },
      },
      { p: {} },
      ['/p/q: required, expected integer'],
    ],
    [
      { type: 'object', properties: { 'a/b~c': { type: 'integer' } } },
      { 'a/b~c': 'x' },
      ['/a~1b~0c: expected integer, got "x"'],
    ],
  ])(proves('input.all-problems', 'says what is wrong: %j'), (schema, value, problems) => {
    expect(compileCheck(schema)(value)?.map(({ pointer, message }) => `${pointer}: ${message}`)).toEqual(problems);
  });
});

// V8 takes long for each property, unless it has compiled the same expression before.
it(proves('input.bounded', 'properties in a regular expression take no more time than other characters'), async () => {
  const check = compileCheck({ format: 'regex' });
  let count = 0;
  await expectLinear((n) => {
    const text = '\\p{L}'.repeat(n * n) + 'a'.repeat(5 * (1600 - n * n));
    return () => expect(check(`${text}${count++}`)).toBeUndefined();
  }, 5);
});

describe('mistakes in a schema', () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  const wrong = fc.constantFrom<unknown>('strnig', 5, -1, 1.5, null, [], {}, true, ['a', 'a'], '(', [5], { a: 5 });
  const known =
    'type properties required items anyOf allOf enum minimum multipleOf minLength maxItems uniqueItems description ' +
    'additionalProperties not $defs prefixItems dependentRequired writeOnly examples title contains propertyNames';
  const keywords = fc.constantFrom(...known.split(' '));

  it(proves('build.all-at-once', 'are those that the meta-schema finds'), () => {
    fc.assert(
      fc.property(schemas, fc.dictionary(keywords, fc.oneof(wrong, schemas)), (schema, more) => {
        const tried = { ...schema, ...more };
        expect(mistakesIn(tried).length === 0).toBe(ajv.validateSchema(tried));
      }),
      { numRuns: size(400, 3000) },
    );
  });

  it(proves('build.all-at-once', 'are told with their places'), () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'integr' }, b: { items: [] } },
      required: 'a',
      anyOf: [],
    };
    expect(mistakesIn(schema).map(({ pointer, message }) => `${pointer}: ${message}`)).toEqual([
      '/properties/a/type: expected "integer", got "integr"',
      '/properties/b/items: expected a schema, got array',
      '/required: expected a list of unique names, got "a"',
      '/anyOf: expected a list of schemas, got array',
    ]);
  });
});

it(proves('output.carried', 'reads a getter once, and asks toJSON of a list too'), () => {
  let looks = 0;
  const fickle = Object.defineProperty({}, 'n', { enumerable: true, get: () => ++looks });
  const carried = toJson(fickle, 64);
  expect([carried, JSON.stringify(carried), looks]).toEqual([{ value: { n: 1 } }, '{"value":{"n":1}}', 1]);
  const list = Object.assign([1, 2], { toJSON: () => 'a list' });
  expect(toJson(list, 64)).toEqual({ value: 'a list', isCustom: true });
  expect(toJson({ ['\ud800']: 1 }, 64)).toEqual({
    problem: { pointer: '', message: 'a key with a lone surrogate, which is not valid Unicode' },
  });
  expect(toJson([new Date(8.64e15)], 64)).toEqual({
    problem: { pointer: '/0', message: 'a date beyond the year 9999 cannot be represented in JSON' },
  });
});

it(proves('input.suggestion', 'suggests what is near, and nothing else'), () => {
  const words = ['values', 'measure', 'round'];
  expect(suggest('valeus', words)).toBe('values');
  expect(suggest('mesure', words)).toBe('measure');
  expect(suggest('ROUND', words)).toBe('round');
  expect(suggest('zebra', words)).toBeUndefined();
  expect(suggest('x', ['y', 'xx'])).toBe('xx');
});

describe('allowsType', () => {
  const list = { type: 'array', items: {} };
  const text = { type: 'string' };

  it.each([
    [list, true],
    [text, false],
    [{}, true],
    [true, true],
    [false, false],
    [{ type: ['string', 'array'] }, true],
    [{ enum: ['a', 1] }, false],
    [{ enum: ['a', []] }, true],
    [{ anyOf: [text, list] }, true],
    [{ oneOf: [text, { type: 'integer' }] }, false],
    [{ anyOf: [text, {}] }, true],
    [{ not: text }, true],
    [{ allOf: [{}, text] }, false],
    [{ $ref: '#/$defs/list' }, true],
    [{ $ref: '#/$defs/text' }, false],
    [{ $ref: '#/$defs/loop' }, false],
  ])('%j allows a list: %s', (schema, expected) => {
    const root = {
      $defs: { list, text, loop: { anyOf: [text, { type: 'integer', anyOf: [{ $ref: '#/$defs/loop' }] }] } },
    };
    expect(allowsType(schema, 'array', root)).toBe(expected);
  });

  it('looks at each schema once', () => {
    const $defs: Record<string, object> = { s0: text };
    for (let i = 1; i <= 60; i++)
      $defs[`s${i}`] = { anyOf: [{ $ref: `#/$defs/s${i - 1}` }, { $ref: `#/$defs/s${i - 1}` }] };
    expect(allowsType({ $ref: '#/$defs/s60' }, 'array', { $defs })).toBe(false);
  });
});

it('numbers that JavaScript would round are written as they were read', () => {
  for (const text of [
    '{"a":9007199254740993,"b":[1e400,-0.5,"1e400"],"c":null}',
    '[]',
    '"text"',
    '{"9007199254740993":{"deep":[123456789012345678901234567890]}}',
  ])
    expect(writeJson(parseJson(text))).toBe(text);
  expect(writeJson(parseJson('{"a":9007199254740993}'), 2)).toBe('{\n  "a": 9007199254740993\n}');
});

it('a number that would be rounded is refused, also if another copy of the package has read it', async () => {
  // Vite loads a module again for another query.
  const copy = '../../src/schema/parse-json.ts?copy';
  const other = (await import(copy)) as { parseJson: typeof parseJson };
  const anything = { description: 'anything' };
  const f = fn('F', { input: object({ x: anything }, []), output: anything }, ({ x }) => x);
  const app = createApp({ name: 'A', version: '1', functions: [f] });
  expect(await app.call('F', other.parseJson('{"x":9007199254740993}') as never)).toMatchObject({
    ok: false,
    error: { code: 'INVALID_ARGUMENTS', message: expect.stringContaining('9007199254740993 is not exact') as string },
  });
});

const SEED = Number(process.env['SHALLOW_SEED'] ?? 7);
const bounds = { depth: 20, keys: 1_000_000, items: 1_000_000 };
const bytes = (text: string) => new TextEncoder().encode(text);
const parsed = (json: Uint8Array) => JSON.parse(new TextDecoder().decode(json)) as unknown;

/** JSON of random depth, with brackets and quotes in its strings; always larger than the size that is parsed uncut. */
function generate(random: () => number): string {
  const text = () =>
    JSON.stringify(pick(random, ['', ']]}', '[{"', '\\', '\\"', 'ü€😀', '\u2028', `${'x'.repeat(50)}"`, '\\\\']));
  const value = (depth: number): string => {
    if (depth === 0) return pick(random, [text(), '1', 'null', '[]', '{}']);
    const inner = [value(depth - 1), ...(random() < 0.5 ? [value(0)] : [])];
    if (random() < 0.5) inner.reverse();
    const space = pick(random, ['', ' ', '\n']);
    return random() < 0.5
      ? `[${inner.join(`,${space}`)}]`
      : `{${inner.map((one, i) => `"k${i}${text().slice(1)}:${space}${one}`).join(',')}}`;
  };
  const many = Array.from({ length: 10 }, () => value(Math.floor(random() * 22)));
  return `{"a":[${many.join(',')}],"pad":"${'['.repeat(16_384)}"}`;
}

describe('deep nesting is cut before parsing', () => {
  it(proves('input.bounded', 'the result is refused at the same place, with the same message'), () => {
    const random = seeded(SEED);
    let tooDeep = 0;
    for (let i = 0; i < 300; i++) {
      const json = bytes(generate(random));
      const cut = cutNesting(json, bounds.depth);
      const wanted = findExcess(parsed(json), bounds);
      expect(findExcess(parsed(cut), bounds), `number ${i} of seed ${SEED}`).toEqual(wanted);
      if (wanted) tooDeep++;
      else expect(cut).toBe(json);
    }
    expect(tooDeep).toBeGreaterThan(50);
    expect(tooDeep).toBeLessThan(290);
  });

  it.each([
    ['never closed', '['.repeat(50_000)],
    ['a string that never ends', `"${'['.repeat(50_000)}`],
    ['an escape at the very end', `"${'x'.repeat(50_000)}\\`],
    ['closed too often', `${'['.repeat(30_000)}${']'.repeat(30_001)}`],
    ['closed wrongly', `${'['.repeat(10)}}${'x'.repeat(20_000)}`],
  ])(proves('input.json', 'invalid JSON stays invalid: %s'), (_what, text) => {
    expect(() => parsed(cutNesting(bytes(text), 64))).toThrow(SyntaxError);
  });

  it(proves('input.bounded', 'brackets take time in proportion to their number'), () =>
    expectLinear((length) => {
      const deep = bytes('['.repeat(length) + ']'.repeat(length));
      return () => parsed(cutNesting(deep, 64));
    }, 50_000),
  );
});

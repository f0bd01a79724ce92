import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { App } from '../../src/app/app.ts';
import { createApp } from '../../src/app/create-app.ts';
import { Failure } from '../../src/core/failure.ts';
import { widthOf } from '../../src/responses/columns.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { findCommand } from '../../src/wires/cli/command-tree.ts';
import { argumentsFrom, decodeCli } from '../../src/wires/cli/decode.ts';
import { encodeCli } from '../../src/wires/cli/encode.ts';
import { flagsOf } from '../../src/wires/cli/flags.ts';
import { loadFormat } from '../../src/wires/cli/formats.ts';
import { explainJsonMistake, jsonMistake } from '../../src/responses/source-mistake.ts';
import { openApiDocument } from '../../src/wires/http/openapi/document.ts';
import { expectLinear } from '../kit/linear.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';

const half = {
  name: 'Half',
  description: 'Halves',
  input: { type: 'object', properties: { x: { type: 'integer', description: 'X' } }, required: ['x'] },
  output: { type: 'integer', description: 'Half' },
  run: ({ x }: { x: number }) => (x % 2 === 0 ? x / 2 : new Failure('ODD', 'x is odd')),
};
const app = createApp({ name: 'Test', version: '1', functions: [half] });
const fn = app.find('Half')!;
const [x] = flagsOf(fn.inputSchema, new Set());

describe('decode', () => {
  const decode = (input?: string, flags: readonly string[] = [], stdin = '') =>
    decodeCli(
      { fn, input, flags: flags.length > 0 ? [[x!, flags]] : [] },
      {
        limits: app.limits,
        stdin: async function* stdinOf() {
          yield Buffer.from(stdin);
        },
        readFile: async function* fileOf(path) {
          if (path !== 'arguments.json') throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
          yield Buffer.from('{"x":');
          yield Buffer.from('6}');
        },
        fileExists: (path) => path === 'arguments.json',
        openFile: async (path) => new File(['x'], path),
      },
    );

  it(proves('cli.input', 'flags override fields of the input'), async () => {
    const call = { name: 'Half', caller: { wire: 'cli' }, input: { x: 4, y: 2 } };
    expect((await decode('{"x":1,"y":2}', ['4'])).call).toMatchObject(call);
    expect((await decode('-', [], '{"x":8}')).call.input).toEqual({ x: 8 });
    expect((await decode('@arguments.json')).call.input).toEqual({ x: 6 });
    expect((await decode()).call.input).toBeUndefined();
  });

  it.each<[JsonSchema, string | undefined, string, given: string[], input: unknown]>([
    [{ type: 'object', properties: { a: { type: 'integer' } } }, '{"v":[1,2]}', 'v.a', ['5'], { v: [1, 2] }],
    [{ type: 'object', properties: { a: { type: 'integer' } } }, '{"v":"{}"}', 'v.a', ['5'], { v: { a: 5 } }],
    [{ description: 'any' }, undefined, 'v', ['{"a":1}'], { v: { a: 1 } }],
    [{ description: 'any' }, undefined, 'v', ['5'], { v: '5' }],
    [{ type: 'array', items: { type: 'string' } }, undefined, 'v', ['["a","b"]'], { v: ['a', 'b'] }],
    [{ type: 'array', items: { type: 'string' } }, undefined, 'v', ['[a]'], { v: ['[a]'] }],
  ])(proves('cli.input', '%j of %s with --%s %j is %j'), (v, base, name, given, input) => {
    const root: JsonSchema = { type: 'object', properties: { v } };
    const flag = flagsOf(root, new Set()).find((one) => one.name === name)!;
    expect(argumentsFrom([[flag, given]], base === undefined ? undefined : JSON.parse(base), root)).toEqual(input);
  });

  it(proves('cli.input', 'a parameter is given once, by its position or as a flag'), async () => {
    const host = { limits: app.limits } as Parameters<typeof decodeCli>[1];
    const flags = ['1', '2'].map((text) => [x!, [text]] as const);
    const { call } = await decodeCli({ fn, input: undefined, flags }, host);
    expect(call.refused?.error.message).toBe('Invalid arguments: /x: given by its position and as --x');
    const big = await app.call('Half', { x: '9007199254740993' as never });
    expect(big).toMatchObject({ error: { message: expect.stringContaining('at most ±9007199254740991') as string } });
  });

  it(proves('cli.input', 'what is not JSON is a refused call, with a hint for people'), async () => {
    const { call, hint } = await decode('arguments.json');
    expect(call.refused?.error.code).toBe('INVALID_JSON');
    expect(hint).toContain('--input @arguments.json');
    expect((await decode('@nothing.json')).call.refused?.error.message).toBe('--input: no such file: nothing.json');
    expect((await decode('-', [], '{')).hint).toContain('line 1, column 2');
  });
});

describe('encode', () => {
  const answered = (input: unknown) => app.respond({ name: 'Half', input, caller: { wire: 'cli' } }, 'plain');
  const program = { isExact: false, isTerminal: false };
  const person = { isExact: false, isTerminal: true };

  it(proves('cli.exact', 'the exact body for programs, and with --json'), async () => {
    expect(encodeCli(await answered({ x: 4 }), program)).toEqual({ stdout: '{"result":2}', exitCode: 0 });
    expect(encodeCli(await answered({ x: 4 }), { ...person, isExact: true }).stdout).toBe('{"result":2}\n');
  });

  it(proves('cli.readable', 'text on a terminal, and for a failure only the message'), async () => {
    expect(encodeCli(await answered({ x: 4 }), person).stdout).toBe('2\n');
    expect(encodeCli(await answered({ x: 3 }), person)).toEqual({ error: 'x is odd (ODD)', exitCode: 1 });
    const expected = { stdout: '{"error":"x is odd"}', error: 'x is odd (ODD)\nTry 4', exitCode: 1 };
    expect(encodeCli(await answered({ x: 3 }), { ...program, hint: '\nTry 4' })).toEqual(expected);
  });
});

const appWith = (...names: readonly (string | { name: string; operationId?: string; tags?: string[] })[]) => {
  const named = names.map((one) => (typeof one === 'string' ? { name: one } : one));
  const functions = named.map((one) => ({ ...one, description: 'Does', run: () => {} }));
  return createApp({ name: 'Test', version: '1', tags: { orders: 'Orders' }, functions });
};

const commandIn = (functions: ReturnType<typeof appWith>, line: string) => {
  const result = findCommand(functions, line.split(' '));
  return result && [result.fn?.name ?? `${result.group!.words.join(' ')}/`, result.rest.join(' ')];
};

describe('groups of commands', () => {
  it.each([
    ['orders list --x 1', ['orders.List', '--x 1']],
    ['Orders LIST', ['orders.List', '']],
    ['orders get-all', ['orders.GetAll', '']],
    ['orders GetAll', ['orders.GetAll', '']],
    ['orders-get-all a', ['orders.GetAll', 'a']],
    ['orders.GetAll', ['orders.GetAll', '']],
    ['functions.orders.GetAll', ['orders.GetAll', '']],
    ['functions_orders_GetAll', ['orders.GetAll', '']],
    ['orders', ['orders/', '']],
    ['orders nothing', ['orders/', 'nothing']],
    ['orders old list', ['orders.old.List', '']],
    ['orders old', ['orders old/', '']],
    ['prices', ['prices', '']],
    ['prices high', ['prices', 'high']],
    ['prices raise', ['prices.Raise', '']],
    ['a..b', ['a..b', '']],
    ['a-b', ['a..b', '']],
    ['c.-d', ['c.-d', '']],
    ['nothing', undefined],
    ['__proto__ constructor', undefined],
    ['x'.repeat(100_000), undefined],
  ])(proves('cli.groups', '%s'), (line, expected) => {
    const names = ['orders.List', 'orders.GetAll', 'orders.old.List', 'prices', 'prices.Raise', 'a..b', 'c.-d'];
    expect(commandIn(appWith(...names), line)).toEqual(expected);
  });

  it(proves('cli.groups', 'an operationId takes precedence over a group of that name'), () => {
    const functions = appWith({ name: 'Add', operationId: 'orders' }, 'orders.List');
    expect(commandIn(functions, 'orders')).toEqual(['Add', '']);
    expect(commandIn(functions, 'orders list')).toEqual(['orders.List', '']);
  });

  it(proves('cli.groups', 'are tags in OpenAPI, unless a function has tags'), () => {
    const functions = appWith('Add', 'orders.List', 'orders.old.List', { name: 'orders.Get', tags: ['mine'] });
    const { tags, paths } = openApiDocument(functions as App, '3.1') as {
      tags: object[];
      paths: Record<string, { post: { tags: string[] } }>;
    };
    expect(tags).toEqual([
      { name: 'functions', description: 'Functions of Test' },
      { name: 'orders', description: 'Orders' },
      { name: 'orders.old', description: 'Functions of Test' },
      { name: 'mine', description: 'Functions of Test' },
    ]);
    expect(paths['/functions/orders.List']!.post.tags).toEqual(['orders']);
  });
});

const object = (properties: Record<string, JsonSchema>, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
const names = (schema: JsonSchema, reserved: readonly string[] = []) =>
  flagsOf(schema, new Set(reserved)).map(({ name }) => name);

/** The value of the only flag of a schema, typed like this. */
const given = (property: JsonSchema, ...texts: readonly string[]) => {
  const schema = object({ p: property });
  return (argumentsFrom([[flagsOf(schema, new Set())[0]!, texts]], undefined, schema) as { p: unknown }).p;
};

const shape = (kind: string, measure: string) =>
  object({ kind: { const: kind }, [measure]: { type: 'number' } }, { required: ['kind', measure] });
const SHAPES = { anyOf: [shape('circle', 'radius'), shape('square', 'side')] };

describe('flags', () => {
  it(proves('cli.flags', 'are named after parameters, dotted inside objects, to a depth'), () => {
    const deep = object({
      a: object({ b: object({ c: object({ d: object({ e: { type: 'string' } }) }) }) }),
      x: { type: 'integer' },
    });
    expect(names(deep)).toEqual(['a.b.c.d', 'x']);
  });

  it(proves('cli.flags', 'keep clear of each other and of the command'), () => {
    const schema = object({
      json: { type: 'string' },
      foo: { type: 'boolean' },
      'no-foo': { type: 'string' },
      'a.b': { type: 'string' },
      a: object({ b: { type: 'string' } }),
      'first name': { type: 'string' },
      größe: { type: 'number' },
    });
    expect(names(schema, ['json'])).toEqual(['arg-json', 'foo', 'a.b', 'größe']);
  });

  it.each([
    [{ type: 'integer' }, ['7'], 7],
    [{ type: 'string' }, ['7'], '7'],
    [{ type: ['string', 'integer'] }, ['7'], '7'],
    [{ enum: [1, 2, 'three'] }, ['2'], 2],
    [{ type: 'array', items: { type: 'integer' } }, ['1', '2'], [1, 2]],
    [{ type: 'array', items: { type: 'integer' } }, ['[1,2]'], [1, 2]],
    [{ type: 'array', items: { type: 'string' } }, ['[1,2]'], ['[1,2]']],
    [{ type: 'array', items: { type: 'array', items: { type: 'integer' } } }, ['[1,2]'], [[1, 2]]],
    [{ type: 'object' }, ['{"a":1}'], { a: 1 }],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, ['5'], 5],
    [SHAPES, ['{"kind":"circle","radius":"wide"}'], { kind: 'circle', radius: 'wide' }],
    [SHAPES, ['{"kind":'], '{"kind":'],
    [{ anyOf: [...SHAPES.anyOf, { type: 'string' }] }, ['{"kind":"circle"}'], '{"kind":"circle"}'],
    [
      { type: 'array', items: SHAPES },
      ['{"kind":"circle","radius":1}', '{"kind":"square"}'],
      [{ kind: 'circle', radius: 1 }, { kind: 'square' }],
    ],
    [{ type: 'array', items: { type: 'integer' } }, ['[1,"x"]'], [1, 'x']],
  ] as const)(proves('cli.flags', 'for %j, %j is read as %j'), (schema, texts, value) => {
    expect(given(schema as JsonSchema, ...texts)).toEqual(value);
  });

  it(proves('cli.input', 'go on top of JSON, inside objects too'), () => {
    const schema = object({ o: object({ a: { type: 'integer' }, b: { type: 'integer' } }) });
    const [, b] = flagsOf(schema, new Set());
    const base = { o: { a: 1, b: 2 } };
    expect(argumentsFrom([[b!, ['3']]], base, schema)).toEqual({ o: { a: 1, b: 3 } });
    expect(base).toEqual({ o: { a: 1, b: 2 } });
    expect(argumentsFrom([[b!, ['3']]], [1], schema)).toEqual([1]);
  });
});

const ORDERS = [
  { id: 'AB-1', total: 10, lines: [{ sku: 'tea', count: 2 }] },
  { id: 'AB-2', total: 2.5, note: 'urgent\nfragile' },
];

const printed = async (name: Parameters<typeof loadFormat>[0], data: unknown, width = 80) =>
  (await loadFormat(name, width))(data);

describe('formats', () => {
  it(proves('cli.format', 'JSON is indented, JSON lines have one line for each item'), async () => {
    expect(await printed('json', { a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}\n');
    expect(await printed('jsonl', ORDERS)).toBe(`${JSON.stringify(ORDERS[0])}\n${JSON.stringify(ORDERS[1])}\n`);
    expect(await printed('jsonl', { a: 1 })).toBe('{"a":1}\n');
    expect(await printed('jsonl', [])).toBe('');
  });

  it(proves('cli.format', 'YAML means the same as the JSON'), async () => {
    const shared = { a: 1 };
    const texts = ['no', '2026-01-31', 'x'.repeat(500)];
    for (const data of [ORDERS, ...texts, null, [], {}, { yes: 'on', 'x: y': '- a' }, [shared, shared]])
      expect(parse(await printed('yaml', data))).toEqual(data);
    expect(await printed('yaml', [shared, shared])).toBe('- a: 1\n- a: 1\n');
  });

  it(proves('cli.format', 'a table has a row for each item, or for each field of an object'), async () => {
    expect(await printed('table', ORDERS)).toBe(
      [
        'id    total  lines                      note',
        '----  -----  -------------------------  ----------------',
        'AB-1  10     [{"sku":"tea","count":2}]',
        'AB-2  2.5                               urgent ↵ fragile',
        '',
      ].join('\n'),
    );
    expect(await printed('table', { a: 1, b: null })).toBe('field  value\n-----  -----\na      1\nb\n');
    expect(await printed('table', ['x', 2])).toBe('value\n-----\nx\n2\n');
    expect(await printed('table', [])).toBe('value\n-----\n');
    expect(await printed('table', 'done')).toBe('value\n-----\ndone\n');
  });

  it(proves('cli.format', 'a table is never wider than its limit, and prints no control characters'), async () => {
    const wide = Array.from({ length: 30 }, (_, i) => [`column${i}`, '日本語\u001b[31m'.repeat(20)]);
    for (const width of [1, 10, 40, 80, 200]) {
      const text = await printed('table', [Object.fromEntries(wide)], width);
      expect(text).not.toContain('\u001b');
      const table = text.split('\n').filter((line) => !line.startsWith('(not shown: '));
      expect(Math.max(...table.map(widthOf))).toBeLessThanOrEqual(Math.max(width, 6));
    }
  });

  it(proves('cli.format', 'nothing is printed if nothing is returned, except as text'), async () => {
    for (const name of ['json', 'jsonl', 'yaml', 'table'] as const) expect(await printed(name, undefined)).toBe('');
    expect(await printed('text', undefined)).toBe('Done.\n');
  });
});

it.each([
  ['{"a": 日本}', 'line 1, column 7: unexpected "日"\n  {"a": 日本}\n        ^'],
  ['{"日本": x}', 'line 1, column 8: unexpected "x"\n  {"日本": x}\n           ^'],
  ['{\n\t"a": \u001b[31m}', 'line 2, column 7: unexpected "\\u001b"\n   "a":  [31m}\n        ^'],
  [
    `{"a": "${'x'.repeat(100)}" "b": "${'y'.repeat(100)}"}`,
    `line 1, column 110: unexpected "\\""\n  …${'x'.repeat(38)}" "b": "${'y'.repeat(34)}…\n  ${' '.repeat(41)}^`,
  ],
  ['', 'line 1, column 1: unexpected end\n  \n  ^'],
])(proves('cli.input', 'the place of a mistake has a caret below it: %j'), (text, expected) => {
  expect(explainJsonMistake(text)).toBe(expected);
});

/** Where V8 reports the mistake, if it does. */
function positionOf(text: string): number | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? [];
    return position === undefined ? undefined : Number(position);
  }
}

describe('where a text stops being JSON', () => {
  it.each([
    ['{x:1}', 1, 2, '"x"'],
    ["{'x':1}", 1, 2, '"\'"'],
    ['{"x":1,}', 1, 8, '"}"'],
    ['{"x" 1}', 1, 6, '"1"'],
    ['{"x":01}', 1, 7, '"1"'],
    ['[1,\n  2,\n  tru]', 3, 3, '"t"'],
    ['[1 2]', 1, 4, '"2"'],
    ['{"a":{"b":[1,2}}', 1, 15, '"}"'],
    ['{"x":1', 1, 7, 'the end'],
    ['{} {}', 1, 4, '"{"'],
    ['"a\nb"', 1, 1, '"\\""'],
    ['', 1, 1, 'the end'],
    ['😀', 1, 1, '"😀"'],
  ])(proves('cli.input', 'in %j is line %i, column %i'), (text, line, column, found) => {
    expect(jsonMistake(text)).toEqual({ line, column, found });
  });

  it(proves('cli.input', 'is where V8 says, or at the beginning of the word that V8 stumbled over'), () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ minLength: 1, maxLength: 2 }), (json, where, put) => {
        const at = where % (json.length + 1);
        const text = json.slice(0, at) + put + json.slice(at);
        const position = positionOf(text);
        fc.pre(position !== undefined);
        const { line, column } = jsonMistake(text);
        const before = text.split('\n').slice(0, line - 1);
        const ours = before.join('\n').length + (line > 1 ? 1 : 0) + column - 1;
        expect(text.slice(ours, position)).toMatch(/^(?:"[^]*|[-+\w.]*)$/);
      }),
      { numRuns: size(300, 2000) },
    );
  });

  it(proves('cli.input', 'is found in time that grows with the length'), async () => {
    for (const part of ['[', '{"a":', '"a', '1', ' ', '[1,']) {
      await expectLinear((length) => {
        const text = part.repeat(length);
        return () => jsonMistake(text);
      }, 10_000);
    }
  });
});

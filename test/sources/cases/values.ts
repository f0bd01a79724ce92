import { forms, type JsonSchema } from 'everywire';
import { INTEGER, list, map, none, number, object, parameter, result, text, words } from './case.ts';

const INT = 'type int = number;';
const BIGINT = { type: 'string', pattern: '^-?[0-9]+$', 'x-everywire': 'bigint' };
const pair = (...items: object[]) => ({
  type: 'array',
  prefixItems: items,
  items: false,
  minItems: items.length,
  maxItems: items.length,
});
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const circle = object({ kind: { ...text, const: 'circle' }, radius: number }, 'kind', 'radius');
const square = object({ kind: { ...text, const: 'square' }, side: number }, 'kind', 'side');
const SHAPES = `interface Circle { kind: 'circle'; radius: number } interface Square { kind: 'square'; side: number }
  type Shape = Square | Circle;`;
const uri = { ...text, format: 'uri', 'x-shape': 'url' };

const primitives = [
  parameter('string', text, ['', 'a'], [1, null, ['a']]),
  parameter('number', number, [1, -0.5], ['1', null, true]),
  parameter('boolean', { type: 'boolean' }, [true, false], [0, 'true']),
  parameter('null', none, [null], [0, '']),
  parameter('bigint', BIGINT, ['12345678901234567890', '-1'], [1, '1.5', '']),
  parameter('unknown', {}, [null, 1, { a: [] }], []),
  parameter('object', { type: 'object' }, [{}, { a: 1 }], [1, 'a', null]),
  parameter('{}', { type: ['string', 'number', 'boolean', 'object', 'array'] }, [{}, { a: 1 }, 'a', []], [null]),
  parameter('int', INTEGER, [1, -2, 9007199254740991], [1.5, '1', 9007199254740992], INT),
  // As it is: a module need not know us.
  parameter('int', INTEGER, [1], [1.5]),
  parameter('Integer', INTEGER, [1], [1.5], 'type Integer = number;'),
  parameter('imported', INTEGER, [1], [1.5], 'type imported = number & { "json-schema"?: { type: "integer" } };'),
  parameter(
    'Age',
    { ...INTEGER, minimum: 0, maximum: 150 },
    [0, 150],
    [-1, 151, 1.5],
    `${INT} /** @minimum 0 @maximum 150 */\n/** @minimum 0\n * @maximum 150 */ type Age = int;`,
  ),
  parameter('int[]', list(INTEGER), [[], [1, 2]], [[1.5], 1], INT),
  parameter('int | null', { anyOf: [INTEGER, none] }, [1, null], [1.5, 'a'], INT),
  parameter("'a'", { type: 'string', const: 'a' }, ['a'], ['b', 1]),
  parameter('5', { type: 'number', const: 5 }, [5], [6, '5']),
  parameter('true', { type: 'boolean', const: true }, [true], [false, 1]),
  parameter('5n', { ...BIGINT, const: '5' }, ['5'], ['6', 5]),
];

const lists = [
  parameter('string[]', list(text), [[], ['a']], ['a', [1]]),
  parameter('ReadonlyArray<number>', list(number), [[1]], [['1']]),
  parameter('[string, number]', pair(text, number), [['a', 1]], [['a'], [1, 'a'], ['a', 1, 2]]),
  parameter('[x: int, y: int]', pair(INTEGER, INTEGER), [[1, 2]], [[1.5, 2]], INT),
  parameter('readonly [string]', pair(text), [['a']], [[], ['a', 'b']]),
  parameter('[string, number?]', { ...pair(text, number), minItems: 1 }, [['a'], ['a', 1]], [[], ['a', 'b']]),
  parameter(
    '[string, ...number[]]',
    { type: 'array', prefixItems: [text], items: number, minItems: 1 },
    [['a'], ['a', 1, 2]],
    [[], ['a', 'b']],
  ),
  parameter('[]', { type: 'array', items: false, minItems: 0, maxItems: 0 }, [[]], [[1]]),
  parameter('never[]', { type: 'array', items: false, maxItems: 0 }, [[]], [[1]]),
  parameter('Tags', list(text), [['a']], [[1], {}], 'interface Tags extends Array<string> {}'),
  parameter('Ids', list(text), [['a']], [[1], {}], "type Ids = readonly string[] & { readonly __brand: 'Ids' };"),
  parameter(
    'Few',
    { type: 'array', items: text, minItems: 1, maxItems: 2 },
    [['a']],
    [[], ['a', 'b', 'c']],
    '/** @minItems 1\n * @maxItems 2 */ type Few = string[];',
  ),
];

const unions = [
  parameter('string | number', { type: ['string', 'number'] }, ['a', 1], [true, null]),
  parameter('string | null', { type: ['string', 'null'] }, ['a', null], [1]),
  parameter("'on' | 'off' | null", { anyOf: [words('on', 'off'), none] }, ['on', null], ['x']),
  parameter('1 | 2 | 3', { type: 'number', enum: [1, 2, 3] }, [1, 3], [4, '1']),
  parameter("'auto' | number", { anyOf: [{ type: 'string', const: 'auto' }, number] }, ['auto', 1], ['x']),
  parameter('false | string', { anyOf: [{ type: 'boolean', const: false }, text] }, [false, 'a'], [true]),
  parameter('Level', { type: 'number', enum: [0, 5, 6] }, [0, 6], [1, 'Low'], 'enum Level { Low, Middle = 5, High }'),
  parameter('Colour', words('red', 'blue'), ['red'], ['Red'], "enum Colour { Red = 'red', Blue = 'blue' }"),
  parameter(
    'Direction',
    words('down', 'up'),
    ['up'],
    ['UP'],
    "const Direction = { Up: 'up', Down: 'down' } as const; type Direction = (typeof Direction)[keyof typeof Direction];",
  ),
  parameter(
    'Shape',
    { oneOf: [square, circle] },
    [{ kind: 'circle', radius: 1 }],
    [{ kind: 'circle', side: 1 }, {}],
    SHAPES,
  ),
  parameter('Shape | null', { anyOf: [square, circle, none] }, [null, { kind: 'square', side: 1 }], ['a'], SHAPES),
  parameter('keyof Sizes', words('a', 'b'), ['a'], ['c'], 'interface Sizes { b: 1; a: 2 }'),
  parameter("Exclude<'a' | 'b' | 'c', 'b'>", words('a', 'c'), ['a'], ['b']),
  parameter('string | (() => string)', text, ['a'], [1]),
  parameter('PropertyKey', { type: ['string', 'number'] }, ['a', 1], [true]),
  parameter('NonNullable<string | null>', text, ['a'], [null]),
];

const recursion = [
  parameter(
    'Tree',
    ref('Tree'),
    [{ value: 1, children: [{ value: 2, children: [] }] }],
    [{ value: 1, children: [{}] }],
    'interface Tree { value: number; children: Tree[] }',
  ),
  parameter(
    'Json',
    ref('Json'),
    [1, [{ a: [null] }]],
    [],
    'type Json = string | number | boolean | null | Json[] | { [key: string]: Json };',
  ),
  parameter(
    'List<string>',
    ref('List_string'),
    [{ head: 'a' }, { head: 'a', tail: { head: 'b' } }],
    [{ head: 1 }, { head: 'a', tail: {} }],
    'interface List<T> { head: T; tail?: List<T> }',
  ),
  parameter(
    'Person',
    ref('Person'),
    [{ name: 'a', team: { members: [{ name: 'b' }] } }],
    [{ name: 'a', team: { members: [{}] } }],
    'interface Person { name: string; team?: Team } interface Team { members: Person[] }',
  ),
  parameter('Nest', ref('Nest'), [[], [[], [[]]]], [1, [1]], 'type Nest = Nest[];'),
];

const known = [
  parameter('Date | null', { anyOf: [forms.date, none] }, ['2020-01-01T00:00:00Z', null], ['x']),
  parameter(
    '{ at: Date; size: bigint }',
    object({ at: forms.date, size: BIGINT }, 'at', 'size'),
    [{ at: '2020-01-01T00:00:00Z', size: '1' }],
    [{ at: 1, size: '1' }],
  ),
];

const KNOWN: Readonly<Record<string, readonly [schema: JsonSchema, accepted: unknown, rejected: unknown]>> = {
  Date: [forms.date, '2020-01-01T00:00:00Z', 'yesterday'],
  Uint8Array: [forms.bytes, 'AQID', '!'],
  ArrayBuffer: [{ ...forms.bytes, 'x-shape': 'array-buffer' }, 'AQID', 1],
  URL: [uri, 'https://a.example/', 1],
  File: [forms.file, { data: 'AQID' }, 'a'],
  Blob: [forms.file, { data: 'AQID' }, 'a'],
  'Set<string>': [{ ...list(text), 'x-shape': 'set' }, ['a'], [1]],
  'Map<string, number>': [{ ...map(number), 'x-shape': 'map' }, { a: 1 }, { a: 'b' }],
  'Map<number, string>': [{ ...list(pair(number, text)), 'x-shape': 'entries' }, [[1, 'a']], [['a', 1]]],
};
/** Other names of a class for which values are the same. */
const NAMED: readonly ((name: string) => readonly [type: string, types?: string])[] = [
  (name) => [name],
  (name) => [`Readonly<${name}>`],
  (name) => [`${name} & { __brand?: 'x' }`],
  (name) => ['Named', `interface Named extends ${name} {}`],
  (name) => ['Named', `interface Further extends ${name} {} interface Named extends Further { _brand?: 1 }`],
  (name) => ['Named', `class Named extends ${name} {}`],
  (name) => (name.startsWith('Set') ? ['Named<string>', 'class Named<T> extends Set<T> {}'] : [name]),
];
const derived = Object.entries(KNOWN).flatMap(([name, [schema, accepted, rejected]]) =>
  NAMED.flatMap((named) => {
    const [type, types] = named(name);
    const sent = schema['x-shape'] === 'set' ? { ...schema, uniqueItems: true } : schema;
    return [
      parameter(type, schema, [accepted], [rejected, {}, { size: 2 }].slice(0, name.includes('Map') ? 1 : 3), types),
      result(type, sent, [accepted], [rejected], types),
    ];
  }),
);

const U = "interface A { kind: 'a'; x: number } interface B { kind: 'b'; y: string } type U = A | B;";
const onlyA = object({ kind: { ...text, const: 'a' }, x: number }, 'kind', 'x');
const reduced = [
  parameter("U & { kind: 'a' }", onlyA, [{ kind: 'a', x: 1 }], ['a', 5, {}, { kind: 'b', y: '' }], U),
  parameter("(U & { kind: 'a' })[]", list(onlyA), [[{ kind: 'a', x: 1 }]], [['a'], [{ kind: 'b', y: '' }]], U),
  parameter('Int', { ...number, enum: [-1, 0, 1] }, [0], [7], 'type Int = -1 | 0 | 1;'),
  parameter(
    'uint32',
    { type: 'integer', minimum: 1, maximum: 65535 },
    [1],
    [0, 1.5, 70000],
    '/** @minimum 1\n * @maximum 65535 */ type uint32 = number;',
  ),
  result(
    '[string, ...number[], boolean]',
    { type: 'array', prefixItems: [text], items: { anyOf: [number, { type: 'boolean' }] }, minItems: 2 },
    [['a', 1, true]],
    [[5, 5]],
  ),
];

export const values = [...primitives, ...lists, ...unions, ...recursion, ...known, ...derived, ...reduced];

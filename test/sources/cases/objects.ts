import { INTEGER, list, map, number, object, parameter, text } from './case.ts';

const INT = 'type int = number;';
const DECIMAL = String.raw`^-?\d+(?:\.\d+)?$`;
const POINT = 'interface Point { x: number; y?: number }';
const point = object({ x: number, y: number }, 'x');

export const objects = [
  parameter('Point', point, [{ x: 1 }, { x: 1, y: 2, z: 3 }], [{}, { x: '1' }, { x: 1, y: null }], POINT),
  parameter('{ a: string | undefined }', object({ a: text }), [{}, { a: 'a' }], [{ a: 1 }]),
  parameter('Partial<Point>', object({ x: number, y: number }), [{}, { x: 1 }], [{ x: 'a' }], POINT),
  parameter('Required<Point>', object({ x: number, y: number }, 'x', 'y'), [{ x: 1, y: 1 }], [{ x: 1 }], POINT),
  parameter("Pick<Point, 'x'>", object({ x: number }, 'x'), [{ x: 1 }], [{}], POINT),
  parameter("Omit<Point, 'x'>", object({ y: number }), [{}, { y: 1 }], [{ y: 'a' }], POINT),
  parameter(
    'Point & { label: string }',
    object({ x: number, y: number, label: text }, 'x', 'label'),
    [{ x: 1, label: 'a' }],
    [{ x: 1 }],
    POINT,
  ),
  parameter(
    'Named',
    object({ x: number, y: number, name: text }, 'x', 'name'),
    [{ x: 1, name: 'a' }],
    [{ name: 'a' }],
    `${POINT} interface Named extends Point { name: string }`,
  ),
  parameter('Record<string, number>', map(number), [{}, { a: 1 }], [{ a: 'b' }]),
  parameter(
    'Record<number, string>',
    { type: 'object', patternProperties: { [DECIMAL]: text }, additionalProperties: false },
    [{ 1: 'a' }],
    [{ a: 'a' }, { 1: 1 }],
  ),
  parameter(
    '{ id: string; [other: string]: string }',
    { ...object({ id: text }, 'id'), additionalProperties: text },
    [{ id: 'a', b: 'c' }],
    [{ id: 'a', b: 1 }],
  ),
  parameter(
    'Page<Point>',
    object({ items: list(point), total: number }, 'items', 'total'),
    [{ items: [{ x: 1 }], total: 1 }],
    [{ items: [{}], total: 1 }],
    `${POINT} interface Page<T> { items: T[]; total: number }`,
  ),
  parameter(
    'Order',
    object(
      { id: { ...text, description: 'Its number' }, count: { ...INTEGER, minimum: 1, description: 'How many' } },
      'id',
      'count',
    ),
    [{ id: 'a', count: 1 }],
    [{ id: 'a', count: 0 }],
    'type int = number; interface Order { /** Its number */ id: string; /** How many\n * @minimum 1 */ count: int }',
  ),
  parameter(
    'Dto',
    object({ name: text, age: number }, 'name'),
    [{ name: 'a' }],
    [{}],
    "class Dto { name = ''; age?: number }",
  ),
  parameter(
    'typeof defaults',
    object({ limit: number, sort: text }, 'limit', 'sort'),
    [{ limit: 1, sort: 'a' }],
    [{}],
    "const defaults = { limit: 10, sort: 'name' };",
  ),
  parameter(
    'A',
    object({ a: text, b: { not: {} } }, 'a'),
    [{ a: 'a' }],
    [{}, { a: 'a', b: 1 }],
    'type A = { a: string; b?: never };',
  ),
  parameter(
    '{ a: string; b?: never } | { b: string; a?: never }',
    { anyOf: [object({ a: text, b: { not: {} } }, 'a'), object({ b: text, a: { not: {} } }, 'b')] },
    [{ a: 'a' }, { b: 'b' }],
    [{ a: 'a', b: 'b' }, {}],
  ),
  parameter(
    '{ signal?: AbortSignal; [key: string]: unknown }',
    { ...object({}), patternProperties: { '^(?:signal)$': false as never }, additionalProperties: {} },
    [{}, { a: 1 }],
    [{ signal: 'a' }],
  ),
  parameter(
    'Record<UserId, number>',
    map(number),
    [{ a: 1 }],
    [{ a: 'b' }],
    'type UserId = string & { readonly __brand: "UserId" };',
  ),
  parameter(
    'Record<Count, string>',
    { type: 'object', patternProperties: { [DECIMAL]: text }, additionalProperties: false },
    [{ 1: 'a' }],
    [{ a: 'a' }],
    'type Count = number & { readonly __brand: "Count" };',
  ),
  parameter(
    'Record<Uppercase<string>, number>',
    {
      type: 'object',
      patternProperties: { [String.raw`^\P{Changes_When_Uppercased}*$`]: number },
      additionalProperties: false,
    },
    [{ A: 1 }],
    [{ A: 'b' }, { a: 1 }],
  ),
  parameter(
    '{ [name: string]: number; [index: number]: int }',
    { type: 'object', patternProperties: { [DECIMAL]: INTEGER }, additionalProperties: number },
    [{ a: 1.5, 1: 1 }],
    [{ 1: 1.5 }],
    INT,
  ),
  parameter('Record<string, never>', { type: 'object', additionalProperties: false }, [{}], [{ a: 1 }]),
  parameter('Counts', map(INTEGER), [{ a: 1 }], [{ a: 1.5 }], 'type int = number; type Counts = Record<string, int>;'),
  parameter('Empty', { type: 'object' }, [{}], ['a'], 'interface Empty {}'),
  parameter(
    'NonNullable<unknown>',
    { type: ['string', 'number', 'boolean', 'object', 'array'] },
    ['a', 1, {}, []],
    [null],
  ),
  parameter(
    '{ a: string; onDone?: () => void; signal?: (() => void) | undefined }',
    object({ a: text }, 'a'),
    [{ a: 'a' }],
    [{}],
  ),
];

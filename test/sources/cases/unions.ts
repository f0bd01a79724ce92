import { parameter } from './case.ts';

const circle = {
  type: 'object',
  properties: { kind: { type: 'string', const: 'circle' }, radius: { type: 'number' } },
  required: ['kind', 'radius'],
};
const square = {
  type: 'object',
  properties: { kind: { type: 'string', const: 'square' }, side: { type: 'number' } },
  required: ['kind', 'side'],
};
const SHAPES = `interface Circle { kind: 'circle'; radius: number } interface Square { kind: 'square'; side: number }
  type Shape = Square | Circle;`;

export const unions = [
  parameter('string | number', { type: ['string', 'number'] }, ['a', 1], [true, null]),
  parameter('string | null', { type: ['string', 'null'] }, ['a', null], [1]),
  parameter(
    "'on' | 'off' | null",
    { anyOf: [{ type: 'string', enum: ['on', 'off'] }, { type: 'null' }] },
    ['on', null],
    ['x'],
  ),
  parameter('1 | 2 | 3', { type: 'number', enum: [1, 2, 3] }, [1, 3], [4, '1']),
  parameter("'auto' | number", { anyOf: [{ type: 'string', const: 'auto' }, { type: 'number' }] }, ['auto', 1], ['x']),
  parameter('false | string', { anyOf: [{ type: 'boolean', const: false }, { type: 'string' }] }, [false, 'a'], [true]),
  parameter('Level', { type: 'number', enum: [0, 5, 6] }, [0, 6], [1, 'Low'], 'enum Level { Low, Middle = 5, High }'),
  parameter(
    'Colour',
    { type: 'string', enum: ['red', 'blue'] },
    ['red'],
    ['Red'],
    "enum Colour { Red = 'red', Blue = 'blue' }",
  ),
  parameter(
    'Direction',
    { type: 'string', enum: ['down', 'up'] },
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
  parameter(
    'Shape | null',
    { anyOf: [square, circle, { type: 'null' }] },
    [null, { kind: 'square', side: 1 }],
    ['a'],
    SHAPES,
  ),
  parameter('keyof Sizes', { type: 'string', enum: ['a', 'b'] }, ['a'], ['c'], 'interface Sizes { b: 1; a: 2 }'),
  parameter("Exclude<'a' | 'b' | 'c', 'b'>", { type: 'string', enum: ['a', 'c'] }, ['a'], ['b']),
  parameter('string | (() => string)', { type: 'string' }, ['a'], [1]),
  parameter('PropertyKey', { type: ['string', 'number'] }, ['a', 1], [true]),
  parameter('NonNullable<string | null>', { type: 'string' }, ['a'], [null]),
];

import { INTEGER, parameter } from './case.ts';

const INT = 'type int = number;';
const BIGINT = { type: 'string', pattern: '^-?[0-9]+$', 'x-everywire': 'bigint' };

export const primitives = [
  parameter('string', { type: 'string' }, ['', 'a'], [1, null, ['a']]),
  parameter('number', { type: 'number' }, [1, -0.5], ['1', null, true]),
  parameter('boolean', { type: 'boolean' }, [true, false], [0, 'true']),
  parameter('null', { type: 'null' }, [null], [0, '']),
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
  parameter('int[]', { type: 'array', items: INTEGER }, [[], [1, 2]], [[1.5], 1], INT),
  parameter('int | null', { anyOf: [INTEGER, { type: 'null' }] }, [1, null], [1.5, 'a'], INT),
  parameter("'a'", { type: 'string', const: 'a' }, ['a'], ['b', 1]),
  parameter('5', { type: 'number', const: 5 }, [5], [6, '5']),
  parameter('true', { type: 'boolean', const: true }, [true], [false, 1]),
  parameter('5n', { ...BIGINT, const: '5' }, ['5'], ['6', 5]),
];

import { INTEGER, parameter } from './case.ts';

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const pair = (...items: object[]) => ({
  type: 'array',
  prefixItems: items,
  items: false,
  minItems: items.length,
  maxItems: items.length,
});

export const lists = [
  parameter('string[]', { type: 'array', items: text }, [[], ['a']], ['a', [1]]),
  parameter('ReadonlyArray<number>', { type: 'array', items: number }, [[1]], [['1']]),
  parameter('[string, number]', pair(text, number), [['a', 1]], [['a'], [1, 'a'], ['a', 1, 2]]),
  parameter('[x: int, y: int]', pair(INTEGER, INTEGER), [[1, 2]], [[1.5, 2]], 'type int = number;'),
  parameter('readonly [string]', pair(text), [['a']], [[], ['a', 'b']]),
  parameter('[string, number?]', { ...pair(text, number), minItems: 1 }, [['a'], ['a', 1]], [[], ['a', 'b']]),
  parameter(
    '[string, ...number[]]',
    { type: 'array', prefixItems: [text], items: number, minItems: 1 },
    [['a'], ['a', 1, 2]],
    [[], ['a', 'b']],
  ),
  parameter(
    '[...string[], number]',
    { type: 'array', items: { anyOf: [text, number] }, minItems: 1 },
    [['a', 1]],
    [[], [true]],
  ),
  parameter('[]', { type: 'array', items: false, minItems: 0, maxItems: 0 }, [[]], [[1]]),
  parameter('never[]', { type: 'array', items: false, maxItems: 0 }, [[]], [[1]]),
  parameter('Tags', { type: 'array', items: text }, [['a']], [[1], {}], 'interface Tags extends Array<string> {}'),
  parameter(
    'Ids',
    { type: 'array', items: text },
    [['a']],
    [[1], {}],
    "type Ids = readonly string[] & { readonly __brand: 'Ids' };",
  ),
  parameter('Set<string>', { type: 'array', items: text, 'x-shape': 'set' }, [['a', 'a']], [[1], {}]),
  parameter(
    'Few',
    { type: 'array', items: text, minItems: 1, maxItems: 2 },
    [['a']],
    [[], ['a', 'b', 'c']],
    '/** @minItems 1\n * @maxItems 2 */ type Few = string[];',
  ),
];

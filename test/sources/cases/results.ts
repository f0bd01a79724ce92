import { forms, type JsonSchema } from 'everywire';
import { list, none, number, object as open, result, text } from './case.ts';

const object = (...parts: Parameters<typeof open>): JsonSchema => ({ ...open(...parts), additionalProperties: false });
const USER =
  'class User { #key = 1; private hash = ""; protected salt = ""; constructor(readonly id: string, public name?: string) {} get label(): string { return "" } greet() {} static count = 1 }';

export const results = [
  result('Promise<number>', number, [1], ['a']),
  result('Promise<Promise<string>>', text, ['a'], [1]),
  result('PromiseLike<string>', text, ['a'], [1]),
  result('string | undefined', { type: ['string', 'null'] }, ['a', null], [1]),
  result(
    'Promise<Point | undefined>',
    { anyOf: [object({ x: number }, 'x'), none] },
    [{ x: 1 }, null],
    [{}],
    'interface Point { x: number }',
  ),
  result('(string | undefined)[]', list({ type: ['string', 'null'] }), [['a', null]], [[1]]),
  result('{ a: string }', object({ a: text }, 'a'), [{ a: 'a' }], [{ a: 'a', b: 1 }, {}]),
  result(
    '{ a: { b?: string }[] }',
    object({ a: { type: 'array', items: object({ b: text }) } }, 'a'),
    [{ a: [{}] }],
    [{ a: [{ c: 1 }] }],
  ),
  result(
    'User',
    object({ id: text, name: text, label: text }, 'id', 'label'),
    [{ id: 'a', label: 'b' }],
    [{ id: 'a' }],
    USER,
  ),
  result(
    '{ at: Date; run(): void; on: () => void }',
    object({ at: forms.date }, 'at'),
    [{ at: '2020-01-01T00:00:00Z' }],
    [{}],
  ),
  result(
    'Money',
    { ...text, 'x-shape': 'to-json' },
    ['1.00'],
    [1],
    'class Money { private cents = 1; toJSON(): string { return "" } }',
  ),
  result('Set<string>', { type: 'array', items: text, uniqueItems: true, 'x-shape': 'set' }, [['a']], [['a', 'a']]),
  result(
    'Set<{ a: string }>',
    { type: 'array', items: object({ a: text }, 'a'), 'x-shape': 'set' },
    [[{ a: 'a' }, { a: 'a' }]],
    [[1]],
  ),
  result(
    '[string, number?]',
    { type: 'array', prefixItems: [text, number], items: false, minItems: 1, maxItems: 2 },
    [['a']],
    [[]],
  ),
  result('number | Promise<number>', number, [1], ['a']),
  result('string | Promise<string | undefined>', { type: ['string', 'null'] }, ['a', null], [1]),
  result('unknown', {}, [1, null], []),
];

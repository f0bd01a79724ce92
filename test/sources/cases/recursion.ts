import { parameter } from './case.ts';

export const recursion = [
  parameter(
    'Tree',
    { $ref: '#/$defs/Tree' },
    [{ value: 1, children: [{ value: 2, children: [] }] }],
    [{ value: 1, children: [{}] }],
    'interface Tree { value: number; children: Tree[] }',
  ),
  parameter(
    'Json',
    { $ref: '#/$defs/Json' },
    [1, [{ a: [null] }]],
    [],
    'type Json = string | number | boolean | null | Json[] | { [key: string]: Json };',
  ),
  parameter(
    'List<string>',
    { $ref: '#/$defs/List_string' },
    [{ head: 'a' }, { head: 'a', tail: { head: 'b' } }],
    [{ head: 1 }, { head: 'a', tail: {} }],
    'interface List<T> { head: T; tail?: List<T> }',
  ),
  parameter(
    'Person',
    { $ref: '#/$defs/Person' },
    [{ name: 'a', team: { members: [{ name: 'b' }] } }],
    [{ name: 'a', team: { members: [{}] } }],
    'interface Person { name: string; team?: Team } interface Team { members: Person[] }',
  ),
  parameter('Nest', { $ref: '#/$defs/Nest' }, [[], [[], [[]]]], [1, [1]], 'type Nest = Nest[];'),
];

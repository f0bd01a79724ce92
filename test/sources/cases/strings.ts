import { parameter, text } from './case.ts';

const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`;

const like = (pattern: string) => ({ ...text, pattern });

export const strings = [
  parameter('`order-${number}`', like(`^order-${NUMBER}$`), ['order-1', 'order--2.5'], ['order-', 'order-x']),
  parameter(
    '`${bigint}-${bigint}`',
    like(String.raw`^(?:0|[1-9]\d*)--?(?:0|[1-9]\d*)$`),
    ['0-1', '10--20'],
    ['01-1', '1-01', '1-'],
  ),
  parameter('`${string}@${string}`', like(String.raw`^[^@]*@[\s\S]*$`), ['a@b', '@', '@@'], ['ab']),
  parameter(
    '`${string}@${string}.${string}`',
    like(String.raw`^[^@]*@[^\.]*\.[\s\S]*$`),
    ['a@b.c', '@.', 'a@b@c.d.e'],
    ['a.b@c', 'a@b'],
  ),
  parameter(
    '`${string}://${string}/-/${string}.`',
    like(String.raw`^(?=([\s\S]*?):\/\/)\1:\/\/(?=([\s\S]*?)\/-\/)\2\/-\/[\s\S]*\.$`),
    ['a://b/-/c.', ':///-/.', 'a:/b://c/-/d/-/e..'],
    ['a:/b/-/c.', 'a://b/-/c', ':///-.'],
  ),
  parameter(
    '`${number}-${number}.${number}`',
    like(String.raw`^\d+(?:\.\d+)?(?:[eE]\+?\d+)?--?\d+(?:[eE][+-]?\d+)?\.${NUMBER}$`),
    ['1-2.3', '1.5--2.3', '1-2.3.4'],
    ['-1-2.3', '1-2', '1-a.3'],
  ),
  parameter('`${string}${number}`', like(String.raw`^[\s\S]${NUMBER}$`), ['a1', '11'], ['1', 'ab1']),
  parameter(
    '`${Uppercase<string>}-${Capitalize<string>}`',
    like(String.raw`^[^\p{Changes_When_Uppercased}-]*-(?!\p{Changes_When_Uppercased})[\s\S]*$`),
    ['A-Bc', '-', '1-1'],
    ['a-B', 'A-b'],
  ),
  parameter(
    "`${'a' | 'b'}.${boolean}`",
    { ...text, enum: ['a.false', 'a.true', 'b.false', 'b.true'] },
    ['a.true'],
    ['c.true'],
  ),
  parameter(
    "`v${'1' | '2'}.${number}`",
    {
      anyOf: [like(String.raw`^v1\.${NUMBER}$`), like(String.raw`^v2\.${NUMBER}$`)],
    },
    ['v1.0', 'v2.7'],
    ['v3.0'],
  ),
  parameter('Uppercase<string>', like(String.raw`^\P{Changes_When_Uppercased}*$`), ['A', '', 'A1-'], ['Aa', 'ß', 1]),
  parameter('Uncapitalize<string>', like(String.raw`^(?!\p{Changes_When_Lowercased})[\s\S]*$`), ['aB', ''], ['Ab']),
  parameter('UserId', text, ['u1'], [1], 'type UserId = string & { readonly __brand: "UserId" };'),
  parameter(
    'Cents',
    { type: 'number' },
    [1],
    ['1'],
    'declare const unit: unique symbol; type Cents = number & { [unit]: "cents" };',
  ),
  parameter('Email', { ...text, format: 'email' }, ['a@b.example'], [1], '/** @format email */\ntype Email = string;'),
  parameter(
    'Slug',
    { ...text, pattern: '^[a-z-]+$', minLength: 2, maxLength: 5 },
    ['ab-c'],
    ['A', 'a', 'abcdef'],
    '/** @pattern ^[a-z-]+$\n * @minLength 2\n * @maxLength 5 */\ntype Slug = string;',
  ),
  parameter('Word', like('^[a-z]+$'), ['a'], ['A'], '/** @pattern /^[a-z]+$/gu */\ntype Word = string;'),
  parameter('AnyWord', text, ['a', 'A'], [1], '/** @pattern /^[a-z]+$/i */\ntype AnyWord = string;'),
  parameter(
    'Short',
    { ...text, maxLength: 3, description: 'A short name' },
    ['abc'],
    ['abcd'],
    '/** A short name\n * @maxLength 3 */\ntype Short = string;',
  ),
  parameter("'a' | (string & {})", text, ['a', 'x'], [1]),
];

import type { Answer, Behaviour } from '../every-wire.ts';
import type { PromiseId } from '../promises.ts';
import { answers, invalidArguments } from './answers.ts';

type Row = readonly [title: string, proves: PromiseId, fn: string, send: unknown, answer: Answer];

const arrives = (value: unknown): Answer => answers({ result: value });

const rows: readonly Row[] = [
  ['"10" for an integer', 'input.text-to-number', 'Integer', { n: '10' }, arrives({ n: 10 })],
  ['"-3" for an integer', 'input.text-to-number', 'Integer', { n: '-3' }, arrives({ n: -3 })],
  ['"1.0" for an integer', 'input.text-to-number', 'Integer', { n: '1.0' }, arrives({ n: 1 })],
  ['"1e3" for an integer', 'input.text-to-number', 'Integer', { n: '1e3' }, arrives({ n: 1000 })],
  ['"2.5" for a number', 'input.text-to-number', 'Number', { n: '2.5' }, arrives({ n: 2.5 })],
  ['"-0" for a number', 'input.text-to-number', 'Number', { n: '-0' }, arrives({ n: 0 })],
  [
    'an integer too long for a number',
    'input.no-loss',
    'Number',
    { n: '12345678901234567890' },
    invalidArguments('/n: expected number, got "12345678901234567890"'),
  ],
  [
    'a number too large',
    'input.no-loss',
    'Number',
    { n: '1e999' },
    invalidArguments('/n: expected number, got "1e999"'),
  ],
  ['" 10" with a space', 'input.no-loss', 'Integer', { n: ' 10' }, invalidArguments('/n: expected integer, got " 10"')],
  ['"0x10"', 'input.no-loss', 'Integer', { n: '0x10' }, invalidArguments('/n: expected integer, got "0x10"')],
  ['"" for an integer', 'input.no-loss', 'Integer', { n: '' }, invalidArguments('/n: expected integer, got ""')],
  ['true for an integer', 'input.no-loss', 'Integer', { n: true }, invalidArguments('/n: expected integer, got true')],
  ['"true" for a boolean', 'input.text-to-boolean', 'Boolean', { b: 'true' }, arrives({ b: true })],
  ['"false" for a boolean', 'input.text-to-boolean', 'Boolean', { b: 'false' }, arrives({ b: false })],
  ['"1" for a boolean', 'input.text-to-boolean', 'Boolean', { b: '1' }, arrives({ b: true })],
  ['"0" for a boolean', 'input.text-to-boolean', 'Boolean', { b: '0' }, arrives({ b: false })],
  [
    '"yes" for a boolean',
    'input.no-loss',
    'Boolean',
    { b: 'yes' },
    invalidArguments('/b: expected boolean, got "yes"'),
  ],
  ['1 for a boolean', 'input.no-loss', 'Boolean', { b: 1 }, invalidArguments('/b: expected boolean, got 1')],
  [
    'an object as JSON text',
    'input.text-to-json',
    'Nested',
    { place: '{"lat":"1","lon":2}' },
    arrives({ place: { lat: 1, lon: 2 } }),
  ],
  [
    'an array as JSON text, inside',
    'input.text-to-json',
    'Nested',
    { place: { lat: 1, lon: 2, tags: '["7",8]' } },
    arrives({ place: { lat: 1, lon: 2, tags: [7, 8] } }),
  ],
  [
    'JSON text of the wrong kind',
    'input.no-loss',
    'Nested',
    { place: '[1,2]' },
    invalidArguments('/place: expected object, got "[1,2]"'),
  ],
  ['all arguments as JSON text', 'input.text-to-json', 'Integer', '{"n":4}', arrives({ n: 4 })],
  ['null for an optional field', 'input.null-dropped', 'Optional', { n: null }, arrives({})],
  ['null for a nullable field', 'input.accepted-untouched', 'Nullable', { n: null }, arrives({ n: null })],
  [
    'null for a required field',
    'input.no-loss',
    'Integer',
    { n: null },
    invalidArguments('/n: expected integer, got null'),
  ],
  ['"10" where text is declared', 'input.accepted-untouched', 'Text', { text: '10' }, arrives({ text: '10' })],
  [
    '"10" where text or integer is declared',
    'input.accepted-untouched',
    'TextOrNumber',
    { v: '10' },
    arrives({ v: '10' }),
  ],
  [
    '10 where text is declared',
    'input.no-loss',
    'Text',
    { text: 10 },
    invalidArguments('/text: expected string, got 10'),
  ],
  ['"10" for an integer or null', 'input.text-to-number', 'AnyOf', { v: '10' }, arrives({ v: 10 })],
  ['null for an integer or null', 'input.accepted-untouched', 'AnyOf', { v: null }, arrives({ v: null })],
  [
    '"x" for an integer or null',
    'input.no-loss',
    'AnyOf',
    { v: 'x' },
    invalidArguments('/v: expected integer or null, got "x"'),
  ],
  ['a declared default is filled in', 'input.absent', 'Default', {}, arrives({ unit: 'C' })],
  [
    'an object that is open keeps what it is given',
    'input.accepted-untouched',
    'Open',
    { a: '1' },
    arrives({ a: '1' }),
  ],
  ['coerce: false', 'input.coerce-off', 'Exact', { n: '10' }, invalidArguments('/n: expected integer, got "10"')],
  [
    'the trace of repairs',
    'input.unknown-dropped',
    'Trace',
    { n: '1', b: 'true', o: '{"k":"2"}', m: null, extra: 1 },
    arrives([
      '/extra unknown field dropped',
      '/n text to number',
      '/b text to boolean',
      '/o text to JSON',
      '/o/k text to number',
      '/m null dropped',
    ]),
  ],
];

export const repairs: readonly Behaviour[] = rows.map(([title, promise, fn, send, answer]) => ({
  title: `repair: ${title}`,
  proves: [promise],
  app: 'arguments',
  function: fn,
  send: { arguments: send },
  answer,
}));

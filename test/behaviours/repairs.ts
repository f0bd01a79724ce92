import type { Behaviour } from '../every-wire.ts';
import type { PromiseId } from '../promises.ts';
import { on } from './rows.ts';

type Row<Expected> = readonly [title: string, proves: PromiseId, fn: string, given: unknown, expected: Expected];

/** What a function is given for what is sent. */
const repaired: readonly Row<unknown>[] = [
  ['"10" for an integer', 'input.text-to-number', 'Integer', { n: '10' }, { n: 10 }],
  ['"-3" for an integer', 'input.text-to-number', 'Integer', { n: '-3' }, { n: -3 }],
  ['"1.0" for an integer', 'input.text-to-number', 'Integer', { n: '1.0' }, { n: 1 }],
  ['"1e3" for an integer', 'input.text-to-number', 'Integer', { n: '1e3' }, { n: 1000 }],
  ['"2.5" for a number', 'input.text-to-number', 'Number', { n: '2.5' }, { n: 2.5 }],
  ['"-0" for a number', 'input.text-to-number', 'Number', { n: '-0' }, { n: 0 }],
  ['"10" for an integer or null', 'input.text-to-number', 'AnyOf', { v: '10' }, { v: 10 }],
  ['"true" for a boolean', 'input.text-to-boolean', 'Boolean', { b: 'true' }, { b: true }],
  ['"false" for a boolean', 'input.text-to-boolean', 'Boolean', { b: 'false' }, { b: false }],
  ['"1" for a boolean', 'input.text-to-boolean', 'Boolean', { b: '1' }, { b: true }],
  ['"0" for a boolean', 'input.text-to-boolean', 'Boolean', { b: '0' }, { b: false }],
  [
    'an object as JSON text',
    'input.text-to-json',
    'Nested',
    { place: '{"lat":"1","lon":2}' },
    { place: { lat: 1, lon: 2 } },
  ],
  [
    'an array as JSON text, inside',
    'input.text-to-json',
    'Nested',
    { place: { lat: 1, lon: 2, tags: '["7",8]' } },
    { place: { lat: 1, lon: 2, tags: [7, 8] } },
  ],
  ['all arguments as JSON text', 'input.text-to-json', 'Integer', '{"n":4}', { n: 4 }],
  ['null for an optional field', 'input.null-dropped', 'Optional', { n: null }, {}],
  ['null for a nullable field', 'input.accepted-untouched', 'Nullable', { n: null }, { n: null }],
  ['null for an integer or null', 'input.accepted-untouched', 'AnyOf', { v: null }, { v: null }],
  ['"10" where text is declared', 'input.accepted-untouched', 'Text', { text: '10' }, { text: '10' }],
  ['"10" where text or integer is declared', 'input.accepted-untouched', 'TextOrNumber', { v: '10' }, { v: '10' }],
  ['an object that is open keeps what it is given', 'input.accepted-untouched', 'Open', { a: '1' }, { a: '1' }],
  ['a declared default is filled in', 'input.absent', 'Default', {}, { unit: 'C' }],
  [
    'the trace of repairs',
    'input.unknown-dropped',
    'Trace',
    { n: '1', b: 'true', o: '{"k":"2"}', m: null, extra: 1 },
    [
      '/extra unknown field dropped',
      '/n text to number',
      '/b text to boolean',
      '/o text to JSON',
      '/o/k text to number',
      '/m null dropped',
    ],
  ],
];

/** What is wrong with what is sent. */
const refused: readonly Row<string>[] = [
  ['coerce: false', 'input.coerce-off', 'Exact', { n: '10' }, '/n: expected integer, got "10"'],
  [
    'an integer too long for a number',
    'input.no-loss',
    'Number',
    { n: '12345678901234567890' },
    '/n: expected number, got "12345678901234567890"',
  ],
  ['a number too large', 'input.no-loss', 'Number', { n: '1e999' }, '/n: expected number, got "1e999"'],
  ['" 10" with a space', 'input.no-loss', 'Integer', { n: ' 10' }, '/n: expected integer, got " 10"'],
  ['"0x10"', 'input.no-loss', 'Integer', { n: '0x10' }, '/n: expected integer, got "0x10"'],
  ['"" for an integer', 'input.no-loss', 'Integer', { n: '' }, '/n: expected integer, got ""'],
  ['true for an integer', 'input.no-loss', 'Integer', { n: true }, '/n: expected integer, got true'],
  ['null for a required field', 'input.no-loss', 'Integer', { n: null }, '/n: expected integer, got null'],
  ['null in a map', 'input.no-loss', 'Map', { prices: { tea: null } }, '/prices/tea: expected number, got null'],
  ['"yes" for a boolean', 'input.no-loss', 'Boolean', { b: 'yes' }, '/b: expected boolean, got "yes"'],
  ['1 for a boolean', 'input.no-loss', 'Boolean', { b: 1 }, '/b: expected boolean, got 1'],
  [
    'JSON text of the wrong kind',
    'input.no-loss',
    'Nested',
    { place: '[1,2]' },
    '/place: expected object, got "[1,2]"',
  ],
  ['10 where text is declared', 'input.no-loss', 'Text', { text: 10 }, '/text: expected string, got 10'],
  ['"x" for an integer or null', 'input.no-loss', 'AnyOf', { v: 'x' }, '/v: expected integer or null, got "x"'],
];

const repair: ReturnType<typeof on> = (title, ...rest) => on('arguments')(`repair: ${title}`, ...rest);

export const repairs: readonly Behaviour[] = [
  ...repaired.map(([title, proves, fn, given, result]) => repair(title, proves, fn, { given, result })),
  ...refused.map(([title, proves, fn, given, problems]) => repair(title, proves, fn, { given, problems })),
];

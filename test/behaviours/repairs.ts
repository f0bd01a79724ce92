import type { Behaviour } from '../every-wire.ts';
import { on } from './rows.ts';

const repair: ReturnType<typeof on> = (title, ...rest) => on('arguments')(`repair: ${title}`, ...rest);

export const repairs: readonly Behaviour[] = [
  repair('"10" for an integer', 'input.text-to-number', 'Integer', { given: { n: '10' }, result: { n: 10 } }),
  repair('"-3" for an integer', 'input.text-to-number', 'Integer', { given: { n: '-3' }, result: { n: -3 } }),
  repair('"1.0" for an integer', 'input.text-to-number', 'Integer', { given: { n: '1.0' }, result: { n: 1 } }),
  repair('"1e3" for an integer', 'input.text-to-number', 'Integer', { given: { n: '1e3' }, result: { n: 1000 } }),
  repair('"2.5" for a number', 'input.text-to-number', 'Number', { given: { n: '2.5' }, result: { n: 2.5 } }),
  repair('"-0" for a number', 'input.text-to-number', 'Number', { given: { n: '-0' }, result: { n: 0 } }),
  repair('an integer too long for a number', 'input.no-loss', 'Number', {
    given: { n: '12345678901234567890' },
    problems: '/n: expected number, got "12345678901234567890"',
  }),
  repair('a number too large', 'input.no-loss', 'Number', {
    given: { n: '1e999' },
    problems: '/n: expected number, got "1e999"',
  }),
  repair('" 10" with a space', 'input.no-loss', 'Integer', {
    given: { n: ' 10' },
    problems: '/n: expected integer, got " 10"',
  }),
  repair('"0x10"', 'input.no-loss', 'Integer', { given: { n: '0x10' }, problems: '/n: expected integer, got "0x10"' }),
  repair('"" for an integer', 'input.no-loss', 'Integer', {
    given: { n: '' },
    problems: '/n: expected integer, got ""',
  }),
  repair('true for an integer', 'input.no-loss', 'Integer', {
    given: { n: true },
    problems: '/n: expected integer, got true',
  }),
  repair('"true" for a boolean', 'input.text-to-boolean', 'Boolean', { given: { b: 'true' }, result: { b: true } }),
  repair('"false" for a boolean', 'input.text-to-boolean', 'Boolean', { given: { b: 'false' }, result: { b: false } }),
  repair('"1" for a boolean', 'input.text-to-boolean', 'Boolean', { given: { b: '1' }, result: { b: true } }),
  repair('"0" for a boolean', 'input.text-to-boolean', 'Boolean', { given: { b: '0' }, result: { b: false } }),
  repair('"yes" for a boolean', 'input.no-loss', 'Boolean', {
    given: { b: 'yes' },
    problems: '/b: expected boolean, got "yes"',
  }),
  repair('1 for a boolean', 'input.no-loss', 'Boolean', { given: { b: 1 }, problems: '/b: expected boolean, got 1' }),
  repair('an object as JSON text', 'input.text-to-json', 'Nested', {
    given: { place: '{"lat":"1","lon":2}' },
    result: { place: { lat: 1, lon: 2 } },
  }),
  repair('an array as JSON text, inside', 'input.text-to-json', 'Nested', {
    given: { place: { lat: 1, lon: 2, tags: '["7",8]' } },
    result: { place: { lat: 1, lon: 2, tags: [7, 8] } },
  }),
  repair('JSON text of the wrong kind', 'input.no-loss', 'Nested', {
    given: { place: '[1,2]' },
    problems: '/place: expected object, got "[1,2]"',
  }),
  repair('all arguments as JSON text', 'input.text-to-json', 'Integer', { given: '{"n":4}', result: { n: 4 } }),
  repair('null for an optional field', 'input.null-dropped', 'Optional', { given: { n: null }, result: {} }),
  repair('null in a map', 'input.no-loss', 'Map', {
    given: { prices: { tea: null } },
    problems: '/prices/tea: expected number, got null',
  }),
  repair('null for a nullable field', 'input.accepted-untouched', 'Nullable', {
    given: { n: null },
    result: { n: null },
  }),
  repair('null for a required field', 'input.no-loss', 'Integer', {
    given: { n: null },
    problems: '/n: expected integer, got null',
  }),
  repair('"10" where text is declared', 'input.accepted-untouched', 'Text', {
    given: { text: '10' },
    result: { text: '10' },
  }),
  repair('"10" where text or integer is declared', 'input.accepted-untouched', 'TextOrNumber', {
    given: { v: '10' },
    result: { v: '10' },
  }),
  repair('10 where text is declared', 'input.no-loss', 'Text', {
    given: { text: 10 },
    problems: '/text: expected string, got 10',
  }),
  repair('"10" for an integer or null', 'input.text-to-number', 'AnyOf', { given: { v: '10' }, result: { v: 10 } }),
  repair('null for an integer or null', 'input.accepted-untouched', 'AnyOf', {
    given: { v: null },
    result: { v: null },
  }),
  repair('"x" for an integer or null', 'input.no-loss', 'AnyOf', {
    given: { v: 'x' },
    problems: '/v: expected integer or null, got "x"',
  }),
  repair('a declared default is filled in', 'input.absent', 'Default', { given: {}, result: { unit: 'C' } }),
  repair('an object that is open keeps what it is given', 'input.accepted-untouched', 'Open', {
    given: { a: '1' },
    result: { a: '1' },
  }),
  repair('coerce: false', 'input.coerce-off', 'Exact', {
    given: { n: '10' },
    problems: '/n: expected integer, got "10"',
  }),
  repair('the trace of repairs', 'input.unknown-dropped', 'Trace', {
    given: { n: '1', b: 'true', o: '{"k":"2"}', m: null, extra: 1 },
    result: [
      '/extra unknown field dropped',
      '/n text to number',
      '/b text to boolean',
      '/o text to JSON',
      '/o/k text to number',
      '/m null dropped',
    ],
  }),
];

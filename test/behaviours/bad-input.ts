import type { Behaviour } from '../every-wire.ts';
import { failure, functionNotFound, invalidJson, on } from './rows.ts';

const [calculator, strict, inputs] = [on('calculator'), on('strict'), on('arguments')];
const utf8 = (text: string) => new TextEncoder().encode(text);
const PROTOTYPE = '{"data":{"__proto__":{"polluted":true},"constructor":1,"prototype":2}}';
const TOO_DEEP = `/list${'/0'.repeat(27)}/…: nested deeper than 64 levels`;

export const badInput: readonly Behaviour[] = [
  calculator('a body that is not JSON', ['input.json', 'body.error'], 'Add', { body: '{"x":1,', answer: invalidJson }),
  calculator('a body of white space', 'input.json', 'Add', { body: '  \n', answer: invalidJson }),
  inputs('a body that is not UTF-8', ['input.json', 'input.unicode'], 'Text', {
    body: new Uint8Array([...utf8('{"text":"'), 0xff, 0xfe, ...utf8('"}')]),
    answer: invalidJson,
  }),
  calculator('JSON that is an array', 'input.object', 'Add', { given: [1, 2], problems: 'expected object, got array' }),
  calculator('JSON that is null', 'input.object', 'Add', { given: null, problems: 'expected object, got null' }),
  calculator('JSON that is a number', 'input.object', 'Add', { given: 5, problems: 'expected object, got 5' }),
  calculator('JSON that is a string without an object in it', 'input.object', 'Add', {
    given: 'hello',
    problems: 'expected object, got "hello"',
  }),
  calculator('an empty body where arguments are needed', ['input.absent', 'input.all-problems'], 'Add', {
    problems: '/x: required, expected integer; /y: required, expected integer',
  }),
  calculator('an unknown function', 'function.not-found', 'NonExistent', {
    given: {},
    answer: functionNotFound('NonExistent'),
  }),
  calculator(
    'a function named like a method of Object.prototype',
    ['function.not-found', 'input.prototype'],
    'constructor',
    { given: {}, answer: functionNotFound('constructor') },
  ),
  calculator('a missing field', ['input.all-problems', 'input.no-loss'], 'Add', {
    given: { x: 1 },
    problems: '/y: required, expected integer',
  }),
  inputs('a missing field, and a misspelled one', 'input.suggestion', 'Two', {
    given: { first: 1, secnd: 2 },
    problems: '/second: required, expected integer (misspelled as "secnd"?)',
  }),
  calculator('an unknown field is dropped', 'input.unknown-dropped', 'Add', {
    given: { x: 1, y: 2, reason: 'because' },
    result: 3,
  }),
  strict('an unknown field is rejected with strict', 'input.unknown-strict', 'Add', {
    given: { x: 1, y: 2, reason: 'because' },
    problems: '/reason: not a known field',
  }),
  strict(
    'a misspelled field is rejected with strict, and so is the missing one',
    ['input.unknown-strict', 'input.suggestion'],
    'Add',
    {
      given: { x: 1, yy: 2 },
      problems: '/y: required, expected integer (misspelled as "yy"?); /yy: not a known field',
    },
  ),
  calculator('a wrong type', 'input.all-problems', 'Add', {
    given: { x: 'not_a_number', y: [] },
    problems: '/x: expected integer, got "not_a_number"; /y: expected integer, got array',
  }),
  calculator('1.9 for an integer', 'input.no-loss', 'Add', {
    given: { x: 1.9, y: 2 },
    problems: '/x: expected integer, got 1.9',
  }),
  calculator('"1.9" for an integer', 'input.no-loss', 'Add', {
    given: { x: '1.9', y: 2 },
    problems: '/x: expected integer, got "1.9"',
  }),
  inputs('a value outside an enum, and a string of the wrong format', 'input.all-problems', 'Unit', {
    given: { unit: 'K', at: 'noon' },
    problems:
      '/unit: expected one of "C", "F", got "K"; /at: expected string (date-time) such as 2026-01-31T12:00:00Z, got "noon"',
  }),
  inputs('a wrong value deep inside', 'input.all-problems', 'Nested', {
    given: { place: { lat: 1, tags: [1, 'b'] } },
    problems: '/place/tags/1: expected integer, got "b"; /place/lon: required, expected number',
  }),
  inputs('a body of two mebibytes', ['http.limits', 'input.bounded'], 'Text', {
    body: JSON.stringify({ text: 'a'.repeat(2 * 1024 * 1024) }),
    answer: failure('PAYLOAD_TOO_LARGE', 413, 2)('The body is larger than 1048576 bytes'),
  }),
  calculator('__proto__ among the arguments is an unknown field', 'input.prototype', 'Add', {
    body: '{"x":1,"__proto__":{"y":2}}',
    problems: '/y: required, expected integer',
  }),
  strict(
    '__proto__ among the arguments of a strict function is rejected',
    ['input.prototype', 'input.unknown-strict'],
    'Add',
    { body: '{"x":1,"y":2,"__proto__":{"z":2}}', problems: '/__proto__: not a known field' },
  ),
  inputs('__proto__, constructor and prototype inside an object are data', 'input.prototype', 'Record', {
    body: PROTOTYPE,
    answer: { body: `{"result":${PROTOTYPE}}`, status: 200, exit: 0 },
  }),
  inputs('arrays nested ten thousand deep', 'input.bounded', 'List', {
    body: `{"list":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    problems: TOO_DEEP,
  }),
  inputs('arrays nested four hundred thousand deep, with text before and after them', 'input.bounded', 'List', {
    body: `{"a":"[\\"{","list":${'['.repeat(400_000)}"]"${']'.repeat(400_000)},"b":"\\\\"}`,
    problems: TOO_DEEP,
  }),
  inputs('half a mebibyte of brackets that are never closed', 'input.bounded', 'List', {
    body: '['.repeat(512 * 1024),
    answer: invalidJson,
  }),
  inputs('more items than allowed', 'input.bounded', 'List', {
    given: { list: Array.from({ length: 100_001 }, () => 0) },
    problems: '/list: more than 100000 items',
  }),
  inputs('more keys than allowed', 'input.bounded', 'Record', {
    given: { data: Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`k${i}`, i])) },
    problems: '/data: more than 10000 keys',
  }),
  inputs('a lone surrogate', 'input.unicode', 'Text', {
    body: '{"text":"\\ud800"}',
    problems: '/text: string with a lone surrogate, which is not valid Unicode',
  }),
  inputs('a lone surrogate in a key', 'input.unicode', 'Record', {
    body: '{"data":{"\\udfff":1}}',
    problems: '/data: a key with a lone surrogate, which is not valid Unicode',
  }),
  inputs('a surrogate pair is fine', ['input.unicode', 'body.same-bytes'], 'Text', {
    body: '{"text":"\\ud83d\\ude00"}',
    result: { text: '😀' },
  }),
];

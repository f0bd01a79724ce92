import type { Behaviour } from '../every-wire.ts';
import { answers, failure } from './answers.ts';

export const bodies: readonly Behaviour[] = [
  {
    title: 'one value',
    proves: ['body.one', 'body.same-bytes'],
    app: 'calculator',
    function: 'Add',
    send: { arguments: { x: 5, y: 5 } },
    answer: answers({ result: 10 }),
  },
  {
    title: 'several values',
    proves: ['body.several', 'body.same-bytes'],
    app: 'calculator',
    function: 'DivMod',
    send: { arguments: { x: 17, y: 5 } },
    answer: answers({ result0: 3, result1: 2 }),
  },
  {
    title: 'no value, and no arguments',
    proves: ['body.none', 'input.absent', 'body.same-bytes'],
    app: 'calculator',
    function: 'Reset',
    send: {},
    answer: answers({}),
  },
  {
    title: 'a failure',
    proves: ['body.error', 'failure.author', 'body.same-bytes'],
    app: 'calculator',
    function: 'Divide',
    send: { arguments: { dividend: 1, divisor: 0 } },
    answer: failure('DIVISION_BY_ZERO', 422, 1)('Cannot divide by zero'),
  },
  {
    title: 'nested arguments, defaults and an object as result',
    proves: ['body.one', 'body.same-bytes'],
    app: 'calculator',
    function: 'Statistics',
    send: { arguments: { values: [1, 2, 4], round: { digits: 1 } } },
    answer: answers({ result: { measure: 'mean', value: 2.3, count: 3, memory: 0 } }),
  },
  {
    title: 'non-ASCII strings',
    proves: ['body.same-bytes'],
    app: 'weather',
    function: 'GetWeather',
    send: { arguments: { location: 'Tromsø' } },
    answer: answers({
      result: { location: 'Tromsø', temperature: -4, conditions: 'Snow', humidity: 84, windSpeed: 5.1 },
    }),
  },
  {
    title: 'an expected failure with a declared status',
    proves: ['body.error', 'failure.author'],
    app: 'weather',
    function: 'GetWeather',
    send: { arguments: { location: 'Atlantis' } },
    answer: failure('LOCATION_NOT_FOUND', 404, 1)('Location not found: Atlantis'),
  },
];

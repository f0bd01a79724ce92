import { expect, it } from 'vitest';
import { describeThrown } from '../../src/bin/uncaught.ts';
import { throwing } from '../kit/parts.ts';

const no = throwing(new Error('no'));

it.each([
  ['a string', 'a string'],
  ['', 'Unknown error'],
  [undefined, 'Unknown error'],
  [5, '5'],
  [Symbol('x'), 'Symbol(x)'],
  [{ message: 'no database' }, 'no database'],
  [{ name: 'PoolError', message: 'no database', stack: 5 }, 'PoolError: no database'],
  [{ message: {} }, 'Unknown error'],
  [
    Object.assign(new TypeError('wrong'), { stack: 'TypeError: wrong\n    at a.js:1:1' }),
    'TypeError: wrong\n    at a.js:1:1',
  ],
  [new Proxy({}, { get: no }), 'Unknown error'],
  [Object.create(null), 'Unknown error'],
])('logs what was thrown, whatever it is (%#)', (thrown, text) => {
  expect(describeThrown(thrown)).toBe(text);
});

import { expect, test } from 'vitest';
import { Verified } from '../../src/core/verified.ts';

test('a token that is the end of another one is not that one', () => {
  const verified = new Verified<string>();
  const long = `${'a'.repeat(100)}${'b'.repeat(32)}`;
  verified.keep(long, 'long', Infinity);
  expect(verified.get('b'.repeat(32))).toBeUndefined();
  expect(verified.get(`c${long.slice(1)}`)).toBeUndefined();
  expect(verified.get(long)).toBe('long');
  verified.keep('b'.repeat(32), 'short', Infinity);
  expect(verified.get('b'.repeat(32))).toBe('short');
  expect(verified.get(long)).toBeUndefined(); // dropped, and verified again with the next call
});

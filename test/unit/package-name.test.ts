import { expect, it } from 'vitest';
import { isPackageName, suggestName } from '../../src/init/package-name.ts';

it.each(['sums', 'a', '@me/sums', 'sums.js', 'a-b_c', '3d', 'x'.repeat(214)])('%j is a name', (name) => {
  expect(isPackageName(name)).toBe(true);
  expect(suggestName(name)).toBe(name);
});

it.each([
  ['', 'my-functions'],
  ['日本', 'my-functions'],
  ['Sums', 'sums'],
  ['My  Sums!', 'my-sums'],
  ['café ☕', 'cafe'],
  ['.hidden', 'hidden'],
  ['_private', 'private'],
  ['--yes', 'yes'],
  ['a/b', 'a-b'],
  ['@Me/My Sums', '@me/my-sums'],
  ['@/x', 'x'],
  ['@me/', '@me/my-functions'],
  ['@a/b/c', '@a/b-c'],
  ['fs', 'my-fs'],
  ['fs/promises', 'fs-promises'],
  ['node_modules', 'my-node-modules'],
  ['favicon.ico', 'my-favicon-ico'],
  ['everywire', 'my-everywire'],
  ['TypeScript', 'my-typescript'],
  ['@types/node', 'my-types-node'],
  ['x'.repeat(215), 'x'.repeat(214)],
  [`@${'x'.repeat(200)}/${'y'.repeat(200)}`, 'my-functions'],
])('%j is none, and becomes %j', (text, name) => {
  expect(isPackageName(text)).toBe(false);
  expect(suggestName(text)).toBe(name);
  expect(isPackageName(name)).toBe(true);
});

it('a long text costs little, and is not the name', () => {
  expect(suggestName('-'.repeat(1_000_000))).toBe('my-functions');
  expect(suggestName(`@${'a'.repeat(1_000_000)}`)).toBe('a'.repeat(213));
});

import { expect, it } from 'vitest';
import { mayBecomeApp } from '../../src/app/is-app.ts';

it('only functions without parameters may return an app', () => {
  const callable = [() => 1, async () => 1, function named() {}, async function named() {}, Promise.resolve()];
  expect(callable.map(mayBecomeApp)).toEqual(callable.map(() => true));
  const others = [
    (folder = '/data') => folder,
    (...more: string[]) => more,
    ({ a = 1 } = {}) => a,
    async (x = 1) => x,
    function* generator() {},
    Date,
    class Named {
      field = 1;
    },
    1,
    undefined,
  ];
  expect(others.map(mayBecomeApp)).toEqual(others.map(() => false));
});

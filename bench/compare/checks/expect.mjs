import { isDeepStrictEqual } from 'node:util';

export function expect(isRight, message) {
  if (!isRight) throw new Error(message);
}

export function expectEqual(actual, expected, what) {
  expect(isDeepStrictEqual(actual, expected), `${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

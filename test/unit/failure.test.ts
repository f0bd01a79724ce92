import { describe, expect, it } from 'vitest';
import { messageOf } from '../../src/core/failure.ts';
import { expectLinear } from '../kit/linear.ts';
import { proves } from '../promises.ts';

describe('the message of what was thrown', () => {
  it.each([
    ["open '/secret.key'", "open '<path>'"],
    ["ENOENT: open '/home/my user/secret.txt'", "ENOENT: open '<path>'"],
    ['cannot read /home/josé/app.js', 'cannot read <path>'],
    ['failed:/home/u/x.js', 'failed:<path>'],
    ['at C:/Users/joe/app.js', 'at <path>'],
    ['in "C:\\Program Files\\App\\x.dll"', 'in "<path>"'],
    ['share \\\\server\\share\\x', 'share <path>'],
    ['file:///srv/app/index.js is broken', '<path> is broken'],
  ])(proves('failure.no-leak', 'hides the path in: %s'), (message, shown) => {
    expect(messageOf(new Error(message))).toBe(shown);
  });

  it.each([
    'GET https://api.example/v1/users?next=/a/b failed',
    'http://[::1]:80/a/b/c refused',
    'either and/or both, 1/2, on 2024/01/02, as application/json',
    'a : b',
  ])(proves('failure.no-leak', 'leaves alone: %s'), (message) => {
    expect(messageOf(new Error(message))).toBe(message);
  });

  it.each([
    ['letters', 'a'],
    ['letters and dots', 'a.'],
    ['quotes', `'/`],
    ['schemes', 'a:/'],
    ['drives', 'C:/'],
    ['addresses', 'x://'],
    ['backslashes', '\\'],
    ['parts', '/a@'],
    ['tabs', '\t'],
  ])(proves('failure.no-leak', 'takes time in proportion to its length: %s'), (_what, part) =>
    expectLinear((length) => {
      const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
      return () => {
        for (let i = 0; i < 5; i++) messageOf(text);
      };
    }, 1200),
  );

  it(proves('failure.no-leak', 'reads a long hostile text in time, and cuts it'), () => {
    expect(messageOf(new Error(`Unknown: ${'\n'.repeat(500_000)}x`))).toBe('Unknown:');
    expect(messageOf('/a'.repeat(500_000)).length).toBeLessThan(20_000);
    expect(messageOf(`'/${' '.repeat(500_000)}`).length).toBeLessThan(20_000);
  });
});

import { describe, expect, it } from 'vitest';
import { readJson, writeJson } from '../../src/console/form/json-text.ts';
import { readNumber } from '../../src/console/form/read-number.ts';
import { proves } from '../promises.ts';

describe('a number that is typed', () => {
  it.each([
    ['-5', '-5'],
    ['+1.50', '1.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['9007199254740993', '9007199254740993'],
    ['-0009007199254740993.', '-9007199254740993'],
    ['+.1e400', '0.1e400'],
    ['-', '"-"'],
    ['0x10', '"0x10"'],
  ])(proves('console.form', '%s is sent as %s'), (typed, sent) => {
    expect(writeJson(readNumber(typed))).toBe(sent);
  });

  it(proves('console.form', 'stays as it is inside of JSON, with text that is no number next to it'), () => {
    const text = '{"a":[1e400,9007199254740993],"b":"9007199254740993 \\"0\\""}';
    expect(writeJson(readJson(text))).toBe(text);
  });
});

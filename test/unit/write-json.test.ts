import { expect, it } from 'vitest';
import { parseJson } from '../../src/schema/parse-json.ts';
import { writeJson } from '../../src/schema/write-json.ts';

it('numbers that JavaScript would round are written as they were read', () => {
  for (const text of [
    '{"a":9007199254740993,"b":[1e400,-0.5,"1e400"],"c":null}',
    '[]',
    '"text"',
    '{"9007199254740993":{"deep":[123456789012345678901234567890]}}',
  ])
    expect(writeJson(parseJson(text))).toBe(text);
  expect(writeJson(parseJson('{"a":9007199254740993}'), 2)).toBe('{\n  "a": 9007199254740993\n}');
});

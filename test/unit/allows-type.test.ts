import { expect, it } from 'vitest';
import { allowsType } from '../../src/schema/allows-type.ts';

const list = { type: 'array', items: {} };
const text = { type: 'string' };

it.each([
  [list, true],
  [text, false],
  [{}, true],
  [true, true],
  [false, false],
  [{ type: ['string', 'array'] }, true],
  [{ enum: ['a', 1] }, false],
  [{ enum: ['a', []] }, true],
  [{ anyOf: [text, list] }, true],
  [{ oneOf: [text, { type: 'integer' }] }, false],
  [{ anyOf: [text, {}] }, true],
  [{ not: text }, true],
  [{ allOf: [{}, text] }, false],
  [{ $ref: '#/$defs/list' }, true],
  [{ $ref: '#/$defs/text' }, false],
  [{ $ref: '#/$defs/loop' }, false],
])('%j allows a list: %s', (schema, expected) => {
  const root = {
    $defs: { list, text, loop: { anyOf: [text, { type: 'integer', anyOf: [{ $ref: '#/$defs/loop' }] }] } },
  };
  expect(allowsType(schema, 'array', root)).toBe(expected);
});

it('looks at each schema once', () => {
  const $defs: Record<string, object> = { s0: text };
  for (let i = 1; i <= 60; i++)
    $defs[`s${i}`] = { anyOf: [{ $ref: `#/$defs/s${i - 1}` }, { $ref: `#/$defs/s${i - 1}` }] };
  expect(allowsType({ $ref: '#/$defs/s60' }, 'array', { $defs })).toBe(false);
});

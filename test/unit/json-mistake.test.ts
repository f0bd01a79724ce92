import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonMistake } from '../../src/wires/cli/json-mistake.ts';
import { expectLinear } from '../kit/linear.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';

/** Where V8 reports the mistake, if it does. */
function positionOf(text: string): number | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? [];
    return position === undefined ? undefined : Number(position);
  }
}

describe('where a text stops being JSON', () => {
  it.each([
    ['{x:1}', 1, 2, '"x"'],
    ["{'x':1}", 1, 2, '"\'"'],
    ['{"x":1,}', 1, 8, '"}"'],
    ['{"x" 1}', 1, 6, '"1"'],
    ['{"x":01}', 1, 7, '"1"'],
    ['[1,\n  2,\n  tru]', 3, 3, '"t"'],
    ['[1 2]', 1, 4, '"2"'],
    ['{"a":{"b":[1,2}}', 1, 15, '"}"'],
    ['{"x":1', 1, 7, 'the end'],
    ['{} {}', 1, 4, '"{"'],
    ['"a\nb"', 1, 1, '"\\""'],
    ['', 1, 1, 'the end'],
    ['😀', 1, 1, '"😀"'],
  ])(proves('cli.input', 'in %j is line %i, column %i'), (text, line, column, found) => {
    expect(jsonMistake(text)).toEqual({ line, column, found });
  });

  it(proves('cli.input', 'is where V8 says, or at the beginning of the word that V8 stumbled over'), () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ minLength: 1, maxLength: 2 }), (json, where, put) => {
        const at = where % (json.length + 1);
        const text = json.slice(0, at) + put + json.slice(at);
        const position = positionOf(text);
        fc.pre(position !== undefined);
        const { line, column } = jsonMistake(text);
        const before = text.split('\n').slice(0, line - 1);
        const ours = before.join('\n').length + (line > 1 ? 1 : 0) + column - 1;
        expect(text.slice(ours, position)).toMatch(/^(?:"[^]*|[-+\w.]*)$/);
      }),
      { numRuns: size(300, 2000) },
    );
  });

  it(proves('cli.input', 'is found in time that grows with the length'), async () => {
    for (const part of ['[', '{"a":', '"a', '1', ' ', '[1,']) {
      await expectLinear((length) => {
        const text = part.repeat(length);
        return () => jsonMistake(text);
      }, 10_000);
    }
  });
});

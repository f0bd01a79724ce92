import { describe, expect, it } from 'vitest';
import { findExcess } from '../../src/schema/bounds.ts';
import { cutNesting } from '../../src/wires/cut-nesting.ts';
import { pick, seeded } from '../mcp/generated-requests.ts';
import { expectLinear } from '../kit/linear.ts';
import { proves } from '../promises.ts';

const SEED = Number(process.env['SHALLOW_SEED'] ?? 7);
const bounds = { depth: 20, keys: 1_000_000, items: 1_000_000 };
const bytes = (text: string) => new TextEncoder().encode(text);
const parsed = (json: Uint8Array) => JSON.parse(new TextDecoder().decode(json)) as unknown;

/** JSON of random depth, with brackets and quotes in its strings; always larger than the size that is parsed uncut. */
function generate(random: () => number): string {
  const text = () =>
    JSON.stringify(pick(random, ['', ']]}', '[{"', '\\', '\\"', 'ü€😀', '\u2028', `${'x'.repeat(50)}"`, '\\\\']));
  const value = (depth: number): string => {
    if (depth === 0) return pick(random, [text(), '1', 'null', '[]', '{}']);
    const inner = [value(depth - 1), ...(random() < 0.5 ? [value(0)] : [])];
    if (random() < 0.5) inner.reverse();
    const space = pick(random, ['', ' ', '\n']);
    return random() < 0.5
      ? `[${inner.join(`,${space}`)}]`
      : `{${inner.map((one, i) => `"k${i}${text().slice(1)}:${space}${one}`).join(',')}}`;
  };
  const many = Array.from({ length: 10 }, () => value(Math.floor(random() * 22)));
  return `{"a":[${many.join(',')}],"pad":"${'['.repeat(16_384)}"}`;
}

describe('deep nesting is cut before parsing', () => {
  it(proves('input.bounded', 'the result is refused at the same place, with the same message'), () => {
    const random = seeded(SEED);
    let tooDeep = 0;
    for (let i = 0; i < 300; i++) {
      const json = bytes(generate(random));
      const cut = cutNesting(json, bounds.depth);
      const wanted = findExcess(parsed(json), bounds);
      expect(findExcess(parsed(cut), bounds), `number ${i} of seed ${SEED}`).toEqual(wanted);
      if (wanted) tooDeep++;
      else expect(cut).toBe(json);
    }
    expect(tooDeep).toBeGreaterThan(50);
    expect(tooDeep).toBeLessThan(290);
  });

  it.each([
    ['never closed', '['.repeat(50_000)],
    ['a string that never ends', `"${'['.repeat(50_000)}`],
    ['an escape at the very end', `"${'x'.repeat(50_000)}\\`],
    ['closed too often', `${'['.repeat(30_000)}${']'.repeat(30_001)}`],
    ['closed wrongly', `${'['.repeat(10)}}${'x'.repeat(20_000)}`],
  ])(proves('input.json', 'invalid JSON stays invalid: %s'), (_what, text) => {
    expect(() => parsed(cutNesting(bytes(text), 64))).toThrow(SyntaxError);
  });

  it(proves('input.bounded', 'brackets take time in proportion to their number'), () =>
    expectLinear((length) => {
      const deep = bytes('['.repeat(length) + ']'.repeat(length));
      return () => parsed(cutNesting(deep, 64));
    }, 50_000),
  );
});

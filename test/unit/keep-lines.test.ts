import { transformSync } from 'oxc-transform';
import { expect, it } from 'vitest';
import { keepLines } from '../../src/load/typescript/keep-lines.ts';

async function valueOf(source: string): Promise<unknown> {
  const { code, map } = transformSync('a.ts', source, { lang: 'ts', sourceType: 'module', sourcemap: true });
  return valueIn(keepLines(code, map as never));
}

const valueIn = async (code: string) =>
  ((await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { value: unknown }).value;

const x = '${x}';
const TEMPLATES = {
  'escaped backticks': ['`\\`\\`\\`', `    ${x}`, '      indented', '  \\`\\`\\``'],
  'quoted backticks': ["'`' + `a", " b` + '`'"],
  nested: ['`<ul>${[x].map((i) => `<li>', '  ${i}</li>`)}`'],
  'only punctuation': ['`{', '  }', '', '`'],
  'an expression at the end': ['`a', `  ${x}\``],
  'an expression in the middle': ['`a', `  ${x}`, '  b`'],
  'a regular expression': ["/`/.test(x) ? '' : `a", ' b` + String(/`/)'],
  'a comment': ['`a // b', '  c` // `'],
};

it.each(Object.entries(TEMPLATES))('a template literal of several lines stays as it is: %s', async (_, lines) => {
  const source = `enum E { A }\nconst x: string = 'text';\nexport const value: string = ${lines.join('\n')};\n`;
  const { code } = transformSync('a.ts', source, { lang: 'ts', sourceType: 'module' });
  expect(await valueOf(source)).toBe(await valueIn(code));
});

it('code is on the lines of its source', () => {
  const source = `interface A {\n  b: number;\n}\n\nexport function f(a: A): number {\n  // why\n  return a.b\n    + 1;\n}\nexport const g = 1;\n`;
  const { code, map } = transformSync('a.ts', source, { lang: 'ts', sourceType: 'module', sourcemap: true });
  const lines = keepLines(code, map as never).split('\n');
  expect([lines[4], lines[6], lines[9]].map((line) => line?.trim().slice(0, 17))).toEqual([
    'export function f',
    'return a.b + 1;',
    'export const g = ',
  ]);
});

// If the work grew with the square, this would take minutes, and the test would time out.
it('a long line is no reason to wait', () => {
  const source = `export const a = [${Array.from({ length: 40_000 }, (_, i) => `{ id: ${i} }`).join(', ')}];`;
  const { code, map } = transformSync('a.ts', source, { lang: 'ts', sourceType: 'module', sourcemap: true });
  expect(keepLines(code, map as never).split('\n')).toHaveLength(1);
});

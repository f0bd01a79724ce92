import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeModule } from '../../src/sources/module/describe-module.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { compilers } from './compilers.ts';

const list = <T>(length: number, item: (i: number) => T) => Array.from({ length }, (_, i) => item(i));

/** Functions that are served however large their types are, and what their schemas need at most. */
const large: readonly (readonly [name: string, code: string, bytes: number])[] = [
  [
    'literals',
    `type Many = ${list(5000, (i) => `'v${i}'`).join(' | ')}; export function literals(x: Many): void {}`,
    60_000,
  ],
  [
    'diamond', // written out in place, it would be 2^20 objects
    `interface D0 { v: string } ${list(20, (i) => `interface D${i + 1} { a: D${i}; b: D${i} }`).join(' ')} export function diamond(x: D20): void {}`,
    5000,
  ],
  [
    'wide',
    `interface Wide { ${list(1500, (i) => `p${i}: string;`).join(' ')} } export function wide(x: Wide): void {}`,
    80_000,
  ],
  ['many', `export function many(${list(300, (i) => `p${i}: string`).join(', ')}): void {}`, 20_000],
  ['constructor', 'export function constructor(toString: string, valueOf?: string): void {}', 200],
  ['braces', `/** @param ${'{'.repeat(50_000)} x y */ export function braces(x: string): void {}`, 200],
  ['example', `/** @example ${'example('.repeat(20_000)} */ export function example(x: string): void {}`, 200],
  ['blank', `/** a ${' \n'.repeat(20_000)} b */ export function blank(x: string): void {}`, 200],
];

/** Types without an end, or deeper than any limit. */
const endless = [
  `export function deep(x: ${'{ a: '.repeat(60)}string${' }'.repeat(60)}): void {}`,
  'type Grow<T> = { n: Grow<Grow<T>> }; export function grow(x: Grow<string>): void {}',
  `interface E0 { v: string } ${list(30, (i) => `interface E${i + 1}<T> { a: E${i}${i ? '<T[]>' : ''}; b: E${i}${i ? '<T | 1>' : ''} }`).join(' ')} export function fan(x: E30<string>): void {}`,
];

describe.each(compilers)('with TypeScript $version', ({ folder }) => {
  it('types of any size are described or refused, and hide no other function', { timeout: 120_000 }, async () => {
    const path = join(temporaryFolder('hostile'), 'hostile.ts');
    writeFileSync(path, [...large.map(([, code]) => code), ...endless, 'export const last = () => 1;'].join('\n'));
    const { description } = await describeModule(path, { typescript: folder });
    expect(description.functions.map(({ name }) => name)).toEqual([...large.map(([name]) => name), 'last']);
    for (const [name, , bytes] of large) {
      const { input } = description.functions.find((fn) => fn.name === name)!;
      expect({ name, isSmall: JSON.stringify(input).length < bytes }).toEqual({ name, isSmall: true });
    }
    expect(description.refusals.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'deep: The type is nested deeper than 40 levels, or without end; use a smaller one',
      'grow: The type is nested deeper than 40 levels, or without end; use a smaller one',
      'fan: The type is too large; use a smaller one',
    ]);
  });
});

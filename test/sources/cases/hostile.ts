const list = <T>(length: number, item: (i: number) => T) => Array.from({ length }, (_, i) => item(i));

/** Functions that are served however large their types are, and what their schemas need at most. */
export const large: readonly (readonly [name: string, code: string, bytes: number])[] = [
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
export const endless = [
  `export function deep(x: ${'{ a: '.repeat(60)}string${' }'.repeat(60)}): void {}`,
  'type Grow<T> = { n: Grow<Grow<T>> }; export function grow(x: Grow<string>): void {}',
];

/** Template literals, and what is repeated to make a string that almost fits. */
export const templates: readonly (readonly [type: string, repeated: string, end: string])[] = [
  ['`${string}@${string}.${string}`', '@', ''],
  ['`${string}a${string}a${string}a${string}a${string}b`', 'a', ''],
  ['`${string}ab${string}ab${string}ab${string}ab${string}c`', 'ab', ''],
  ['`${string}://${string}/${string}?${string}`', '://', '/'],
  ['`${number}-${number}-${number}-${number}x`', '1', '-1-1'],
  ['`${number}.${number}.${number}.${number}x`', '1.1', ''],
  ['`${number}${number}${number}${number}x`', '1', ''],
  ['`${Uppercase<string>}aa${Uppercase<string>}aa${string}b`', 'A', 'a'],
];

/** The largest type that is read before it is given up: it takes seconds. */
export const fan = `interface E0 { v: string } ${list(30, (i) => `interface E${i + 1}<T> { a: E${i}${i ? '<T[]>' : ''}; b: E${i}${i ? '<T | 1>' : ''} }`).join(' ')} export function fan(x: E30<string>): void {}`;

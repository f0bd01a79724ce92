/** Modules, the functions of the first one that are served, and the refusals. */
export const exported: readonly (readonly [
  what: string,
  files: readonly string[],
  served: string,
  refused?: string,
])[] = [
  ['@internal in a line', ['/** Only for tests. @internal */ export function F() {} export function G() {}'], 'G'],
  [
    '@internal in prose with code',
    ['/** What `@internal` and `a @internal b` mean; see @internal/notes. */ export function F() {}'],
    'F',
  ],
  [
    '@internal after a fence',
    ['/**\n * ```\n * code\n * @internal\n */\nexport function F() {} export const G = () => 1'],
    'G',
  ],
  [
    '@internal between fences that do not pair up',
    [
      '/**\n * ```ts\n * code\n * @internal\n * ```ts\n * code\n * ```\n */\nexport function F() {} export const G = () => 1',
    ],
    'G',
  ],
  [
    '@internal after code in one line',
    ['/**\n * ```f()```\n * @internal\n * ```f()```\n */\nexport function F() {} export const G = () => 1'],
    'G',
  ],
  ['@internal in a block of code', ['/**\n * ```\n * @internal\n * ```\n */\nexport function F() {}'], 'F'],
  [
    '@internal on objects',
    ['/** @internal */ export const a = { F() {} }; export const b = { /** @internal */ F() {}, G() {} }'],
    'b.G',
  ],
  ['@internal on a short property', ['function F() {} export const a = { /** @internal */ F, G() {} }'], 'a.G'],
  ['@internal on a nested object', ['export const a = { /** @internal */ b: { F() {} }, G() {} }'], 'a.G'],
  ['@internal on a default export', ['/** @internal */ export default { F() {} }; export const G = () => 1'], 'G'],
  [
    '@internal on one part of a namespace',
    [
      'export namespace a { export const F = () => 1 } /** @internal */ export namespace a { export const G = () => 1 }',
    ],
    '',
  ],
  [
    '@internal on a re-export',
    [
      "/** @internal */ export { F } from './b.ts'; export { G } from './b.ts'",
      'export const F = () => 1; export const G = () => 1',
    ],
    'G',
  ],
  [
    '@internal on one name',
    ["export { /** @internal */ F, G } from './b.ts'", 'export const F = () => 1; export const G = () => 1'],
    'G',
  ],
  [
    '@internal on a group',
    ["/** @internal */ export * as b from './b.ts'; export const G = () => 1", 'export const F = () => 1'],
    'G',
  ],
  [
    '@internal on everything of a file',
    ["/** @internal */ export * from './b.ts'; export const G = () => 1", 'export const F = () => 1'],
    'G',
  ],
  [
    '@internal on everything, further away',
    [
      "export * from './b.ts'; export const G = () => 1",
      "/** @internal */ export * from './c.ts'",
      'export const F = () => 1',
    ],
    'G',
  ],
  [
    'a type of a class',
    ["export type { C } from './b.ts'; export const G = () => 1", 'export class C { F() {} }'],
    'G',
  ],
  [
    'a name of a type',
    ["import type { F } from './b.ts'; export { type F }; export const G = () => 1", 'export const F = () => 1'],
    'G',
  ],
  [
    'a name that was imported as a type',
    ["import type { F } from './b.ts'; export { F }; export const G = () => 1", 'export const F = () => 1'],
    'G',
  ],
  [
    'one of several',
    [
      "import { type F, H } from './b.ts'; export { F, H }; export const G = () => 1",
      'export const F = () => 1; export const H = () => 1',
    ],
    'H,G',
  ],
  [
    'a type of another file',
    [
      "export { F } from './b.ts'; export const G = () => 1",
      "export type { F } from './c.ts'",
      'export const F = () => 1',
    ],
    'G',
  ],
  ['all types of a file', ["export type * from './b.ts'; export const G = () => 1", 'export const F = () => 1'], 'G'],
  ['a group of types', ["export type * as b from './b.ts'; export const G = () => 1", 'export const F = () => 1'], 'G'],
  ['functions named type', ["import { type } from './b.ts'; export { type as G }", 'export const type = () => 1'], 'G'],
  [
    'what is declared only',
    [
      'export declare function F(): number; export declare const H: () => number; export declare namespace n { function F(): void } export const G = () => 1',
    ],
    'G',
  ],
  [
    'a function with two names',
    ["export { dep as default } from './b.ts'; export * from './b.ts'", 'export function dep() {}'],
    'dep',
  ],
  [
    'an abstract class',
    ['export abstract class C { F() {} static G() {} }'],
    'C.G',
    'a.ts:1:23: C.F: The class is abstract, so there is no object of it; export a class that extends it',
  ],
  [
    'a private constructor',
    ['export class C { private constructor() {} F() {} static G() {} }'],
    'C.G',
    'a.ts:1:14: C.F: The constructor is not public; export an object of it: export const name = …, or make the methods static',
  ],
  [
    'a protected constructor of a base',
    ['class B { protected constructor() {} } export class C extends B { F() {} }'],
    '',
    'a.ts:1:53: C.F: The constructor is not public; export an object of it: export const name = …, or make the methods static',
  ],
  [
    'functions in fields of a class',
    ['export class C { F = () => 1; private H = () => 1; on?: () => void; G() {} }'],
    'C.F,C.G',
  ],
  [
    'this',
    [
      'interface T { n: number } export function F(this: T) {} export function G(this: void) {} export const a = { n: 1, H(this: T) {} }',
    ],
    'G,a.H',
    'a.ts:1:45: F: The function needs a "this", which no caller can send; make it a parameter',
  ],
];

/** Files of CommonJS, what is served of them, and what is refused. */
export const common: readonly (readonly [code: string, served: string, refused: string])[] = [
  ['function Add() {} namespace Add { export function Sub() {} } export = Add;', 'Sub', 'Add'],
  ['function Add() {} export = { Add };', '', 'a'],
  ['class Orders { List() {} } export = Orders;', '', 'Orders'],
  ['const tools = { Add() {} }; export = tools;', '', 'tools'],
  ['/** @internal */ function Add() {} export = Add;', '', ''],
  ['const limit = 1; export = limit;', '', ''],
];

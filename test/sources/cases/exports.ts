/** Modules by what they are about, and the functions of the first file that are served. */
const modules: Readonly<Record<string, string>> = {
  'a frozen object => a.F': 'export const a = Object.freeze({ F() {} })',
  'what an object has that a declaration exports as a whole => F,G':
    "export { F, G } from './b.js' /* next file */ interface All { F(x: number): void; G: () => void } declare const all: All; export = all;",
  '@internal in a line => G': '/** Only for tests. @internal */ export function F() {} export function G() {}',
  '@internal in prose with code => F':
    '/** What `@internal` and `a @internal b` mean; see @internal/notes. */ export function F() {}',
  '@internal after a fence => G':
    '/**\n * ```\n * code\n * @internal\n */\nexport function F() {} export const G = () => 1',
  '@internal between fences that do not pair up => G':
    '/**\n * ```ts\n * code\n * @internal\n * ```ts\n * code\n * ```\n */\nexport function F() {} export const G = () => 1',
  '@internal after code in one line => G':
    '/**\n * ```f()```\n * @internal\n * ```f()```\n */\nexport function F() {} export const G = () => 1',
  '@internal in a block of code => F': '/**\n * ```\n * @internal\n * ```\n */\nexport function F() {}',
  '@internal on objects => b.G':
    '/** @internal */ export const a = { F() {} }; export const b = { /** @internal */ F() {}, G() {} }',
  '@internal on a short property => a.G': 'function F() {} export const a = { /** @internal */ F, G() {} }',
  '@internal on a nested object => a.G': 'export const a = { /** @internal */ b: { F() {} }, G() {} }',
  '@internal on a default export => G': '/** @internal */ export default { F() {} }; export const G = () => 1',
  '@internal on one part of a namespace => ':
    'export namespace a { export const F = () => 1 } /** @internal */ export namespace a { export const G = () => 1 }',
  '@internal on a re-export => G':
    "/** @internal */ export { F } from './b.ts'; export { G } from './b.ts' /* next file */ export const F = () => 1; export const G = () => 1",
  '@internal on one name => G':
    "export { /** @internal */ F, G } from './b.ts' /* next file */ export const F = () => 1; export const G = () => 1",
  '@internal on a group => G':
    "/** @internal */ export * as b from './b.ts'; export const G = () => 1 /* next file */ export const F = () => 1",
  '@internal on everything of a file => G':
    "/** @internal */ export * from './b.ts'; export const G = () => 1 /* next file */ export const F = () => 1",
  '@internal on everything, further away => G':
    "export * from './b.ts'; export const G = () => 1 /* next file */ /** @internal */ export * from './c.ts' /* next file */ export const F = () => 1",
  'a type of a class => G':
    "export type { C } from './b.ts'; export const G = () => 1 /* next file */ export class C { F() {} }",
  'a name of a type => G':
    "import type { F } from './b.ts'; export { type F }; export const G = () => 1 /* next file */ export const F = () => 1",
  'a name that was imported as a type => G':
    "import type { F } from './b.ts'; export { F }; export const G = () => 1 /* next file */ export const F = () => 1",
  'one of several => H,G':
    "import { type F, H } from './b.ts'; export { F, H }; export const G = () => 1 /* next file */ export const F = () => 1; export const H = () => 1",
  'a type of another file => G':
    "export { F } from './b.ts'; export const G = () => 1 /* next file */ export type { F } from './c.ts' /* next file */ export const F = () => 1",
  'all types of a file => G':
    "export type * from './b.ts'; export const G = () => 1 /* next file */ export const F = () => 1",
  'a group of types => G':
    "export type * as b from './b.ts'; export const G = () => 1 /* next file */ export const F = () => 1",
  'functions named type => G':
    "import { type } from './b.ts'; export { type as G } /* next file */ export const type = () => 1",
  'what is declared only => G':
    'export declare function F(): number; export declare const H: () => number; export declare namespace n { function F(): void } export const G = () => 1',
  'a function with two names => dep':
    "export { dep as default } from './b.ts'; export * from './b.ts' /* next file */ export function dep() {}",
  'an abstract class => C.G': 'export abstract class C { F() {} static G() {} }',
  'a private constructor => C.G': 'export class C { private constructor() {} F() {} static G() {} }',
  'a protected constructor of a base => ': 'class B { protected constructor() {} } export class C extends B { F() {} }',
  'functions in fields of a class => C.F,C.G':
    'export class C { F = () => 1; private H = () => 1; on?: () => void; G() {} }',
  'this => G,a.H':
    'interface T { n: number } export function F(this: T) {} export function G(this: void) {} export const a = { n: 1, H(this: T) {} }',
};

/** Of those above that have functions which are refused, and why. */
const refusals: Readonly<Record<string, string>> = {
  'an abstract class':
    'a.ts:1:23: C.F: The class is abstract, so there is no object of it; export a class that extends it',
  'a private constructor':
    'a.ts:1:14: C.F: The constructor is not public; export an object of it: export const name = …, or make the methods static',
  'a protected constructor of a base':
    'a.ts:1:53: C.F: The constructor is not public; export an object of it: export const name = …, or make the methods static',
  this: 'a.ts:1:45: F: The function needs a "this", which no caller can send; make it a parameter',
};

export const exported = Object.entries(modules).map(([title, text]) => {
  const [what = '', served = ''] = title.split(' => ');
  return { what, files: text.split(' /* next file */ '), served, refused: refusals[what] ?? '' };
});

/** Files of CommonJS, what is served of them, and what is refused. */
export const common: readonly (readonly [code: string, served: string, refused: string])[] = [
  ['function Add() {} namespace Add { export function Sub() {} } export = Add;', 'Sub', 'Add'],
  ['function Add() {} export = { Add };', '', 'a'],
  ['class Orders { List() {} } export = Orders;', '', 'Orders'],
  ['const tools = { Add() {} }; export = tools;', '', 'tools'],
  ['/** @internal */ function Add() {} export = Add;', '', ''],
  ['const limit = 1; export = limit;', '', ''],
];

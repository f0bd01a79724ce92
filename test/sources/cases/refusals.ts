const ANY_RESULT =
  'f: The result is any, so nobody knows what is sent; declare its type, or unknown to send all that there is';

/** Modules with a function that cannot be served, its place marked, and its name and the reason. */
const table: Readonly<Record<string, string>> = {
  'export function f(‸x: [string, ...number[], boolean]) {}':
    'f: What comes after the rest of a list cannot be checked; put the rest last, or use fields',
  'class Tags extends Set<string> { own() {} } export function f(‸x: Tags) {}':
    'f: A Set that was sent has no method "own"; take a Set',
  'class Tags extends Set<string> { label = 1 } export function f(): ‸Tags { return new Tags() }':
    'f: A Set has no field "label" in JSON; use an object with the Set and the field',
  'export const ‸f: (() => void) | undefined = () => {};':
    'f: It may be something else than a function; export a function',
  'export function f(‸callback: () => void) {}': 'f: A caller cannot send a function; take data instead',
  'export function f(on: { ‸done(): void }) {}':
    'f: The field "done" is a function, which no caller can send; take data instead',
  'export function f(): ‸() => string { return () => "" }':
    'f: A function cannot be sent to a caller; return data instead',
  'export function f<T>(‸x: T) {}':
    'f: T can be any type; give it a constraint (<T extends …>), or use the type that is meant',
  'export function ‸f(x: string): void; export function f(x: number): void; export function f(x: unknown) {}':
    'f: The function has 2 overloads, and callers cannot choose one; export one function for each, or one signature with unions',
  'export function f(‸x: symbol) {}': 'f: A symbol has no form in JSON; use a string',
  'export function f(‸x: never) {}': 'f: No value has the type never; declare the type that is meant',
  'export function f(x: ‸Missing) {}': "f: Cannot find name 'Missing'. Import or declare it.",
  'export function f(‸x) {}': 'f: The parameter "x" has no type; declare one',
  'export function ‸f() { return JSON.parse("") }': ANY_RESULT,
  'export function f(): ‸any { return 1 }': ANY_RESULT,
  'export async function ‸f() { return JSON.parse("") }': ANY_RESULT,
  'export async function f(): Promise<‸any> { return 1 }': ANY_RESULT,
  'export function f(): { a: string; b: ‸any } { return null! }': ANY_RESULT,
  'export async function* f(): AsyncGenerator<‸any> {}': ANY_RESULT,
  'export function f(‸x: RegExp) {}': 'f: A regular expression has no form in JSON; use a string',
  'export function f(‸x: Promise<string>) {}': 'f: A promise inside of a value cannot be sent; use the value itself',
  'export function f(‸x: Error) {}': 'f: An Error has no form in JSON; use its message, or throw a Failure',
  'class Broken extends Error { detail = 1 } export function f(): ‸Broken { return new Broken() }':
    'f: An Error has no form in JSON; use its message, or throw a Failure',
  'export function f(‸x: Float64Array) {}': 'f: Float64Array has no form in JSON; use number[] or Uint8Array',
  'export function f(‸x: WeakMap<object, string>) {}': 'f: A WeakMap has no form in JSON; use Map',
  'export function f(‸x: Iterable<string>) {}': 'f: An iterable has no form in JSON; use an array',
  'export function f(x: { ‸a: Generator<string> }) {}': 'f: A generator inside of a value cannot be sent; use an array',
  'class Account { private key = 1; id = "" } export function f(‸x: Account) {}':
    'f: Account has private fields, which no caller can send; take an interface instead',
  'class Account { id = ""; ‸close() {} } export function f(x: Account) {}':
    'f: The field "close" is a function, which no caller can send; take data instead',
  'export class ‸Orders { constructor(private db: string) {} list() { return this.db } }':
    'Orders.list: The class needs arguments to be created; export an object of it: export const name = new …',
  'type Grow<T> = { ‸value: T; next?: Grow<T[]> }; export function f(x: Grow<string>) {}':
    'f: The type is nested deeper than 40 levels, or without end; use a smaller one',
  'export function f(‸[a, b]: [number, number]) { return a + b }':
    'f: The parameter has no name; name it and take it apart in the body',
  'export function f(‸{ length }: string) { return length }':
    'f: The parameter has no name; name it, or use an object type',
  'export function f(‸__proto__: string) {}': 'f: A parameter must not be named "__proto__"; rename it',
  'export function f(x: { ‸["__proto__"]: string }) {}': 'f: A field must not be named "__proto__"; rename it',
  'export function f(‸x: Intl.NumberFormat) {}': 'f: NumberFormat has no form in JSON; use a plain object',
  'export function listAll() {} export function ‸list_all() {}':
    'list_all: "list_all" and "listAll" have the same name on the command line; rename one',
  'export function ‸größe() {}':
    'größe: "größe" cannot be the name of a function on every wire; use letters, digits and "_"',
  'export function f(‸x: abstract new () => object) {}': 'f: A caller cannot send a function; take data instead',
  'export function f(): ‸{} { return 1 }':
    'f: {} can be anything, so nobody knows what is sent; declare its fields, or use unknown',
  'export function f<T extends {}>(x: T): ‸T { return x }':
    'f: {} can be anything, so nobody knows what is sent; declare its fields, or use unknown',
  'export function f<T extends { a: string }, K extends keyof T>(x: T, k: K[]): ‸Pick<T, K> { return x }':
    'f: Pick<T, K> depends on what callers choose; use the type that is meant',
  'export function f<T>(‸x: T & { a: string }) {}':
    'f: T can be any type; give it a constraint (<T extends …>), or use the type that is meant',
  'export function f(): ‸string[] & { total: number } { return null! }':
    'f: An array has no field "total" in JSON; use an object with the items and the field',
  'interface Base extends ‸Missing { a: string } interface Own extends Base {} export function f(): Own { return null! }':
    "f: Cannot find name 'Missing'. Import or declare it.",
  'export function f(‸x: `${number}e${number}`) {}':
    'f: A number before "e" in a template cannot be told apart; use string',
  'interface Lazy extends Promise<string> { own: 1 } export function f(): ‸Lazy[] { return [] }':
    'f: A promise inside of a value cannot be sent; use the value itself',
};

/** A function that cannot be served: the source from the caret on, and why. */
export const refusals = Object.entries(table).map(([marked, refused]) => {
  const [before = '', at = ''] = marked.split('‸');
  const [, name, reason] = /^(.+?): (.+)$/s.exec(refused)!;
  return { code: before + at, at, name, reason };
});

/** A function that cannot be served: where the caret is, and why. */
export interface RefusalCase {
  readonly code: string;
  /** The source from the caret on. */
  readonly at: string;
  readonly reason: string;
  readonly name?: string;
}

const refusal = (code: string, at: string, reason: string, name = 'f'): RefusalCase => ({ code, at, reason, name });

export const refusals = [
  refusal(
    'export function f(callback: () => void) {}',
    'callback:',
    'A caller cannot send a function; take data instead',
  ),
  refusal(
    'export function f(on: { done(): void }) {}',
    'done()',
    'The field "done" is a function, which no caller can send; take data instead',
  ),
  refusal(
    'export function f(): () => string { return () => "" }',
    '() =>',
    'A function cannot be sent to a caller; return data instead',
  ),
  refusal(
    'export function f<T>(x: T) {}',
    'x:',
    'T can be any type; give it a constraint (<T extends …>), or use the type that is meant',
  ),
  refusal(
    'export function f(x: string): void; export function f(x: number): void; export function f(x: unknown) {}',
    'f(x: string)',
    'The function has 2 overloads, and callers cannot choose one; export one function for each, or one signature with unions',
  ),
  refusal('export function f(x: symbol) {}', 'x:', 'A symbol has no form in JSON; use a string'),
  refusal('export function f(x: never) {}', 'x:', 'No value has the type never; declare the type that is meant'),
  refusal('export function f(x: Missing) {}', 'Missing', "Cannot find name 'Missing'. Import or declare it."),
  refusal('export function f(x) {}', 'x)', 'The parameter "x" has no type; declare one'),
  refusal(
    'export function f() { return JSON.parse("") }',
    'f()',
    'The function returns any, so nobody knows what is sent; declare its return type',
  ),
  refusal('export function f(x: RegExp) {}', 'x:', 'A regular expression has no form in JSON; use a string'),
  refusal(
    'export function f(x: Promise<string>) {}',
    'x:',
    'A promise inside of a value cannot be sent; use the value itself',
  ),
  refusal('export function f(x: Error) {}', 'x:', 'An Error has no form in JSON; use its message, or throw a Failure'),
  refusal(
    'class Broken extends Error { detail = 1 } export function f(): Broken { return new Broken() }',
    'Broken {',
    'An Error has no form in JSON; use its message, or throw a Failure',
  ),
  refusal(
    'export function f(x: Float64Array) {}',
    'x:',
    'Float64Array has no form in JSON; use number[] or Uint8Array',
  ),
  refusal('export function f(x: WeakMap<object, string>) {}', 'x:', 'A WeakMap has no form in JSON; use Map'),
  refusal('export function f(x: Iterable<string>) {}', 'x:', 'An iterable has no form in JSON; use an array'),
  refusal(
    'export function f(x: { a: Generator<string> }) {}',
    'a:',
    'A generator inside of a value cannot be sent; use an array',
  ),
  refusal(
    'class Account { private key = 1; id = "" } export function f(x: Account) {}',
    'x:',
    'Account has private fields, which no caller can send; take an interface instead',
  ),
  refusal(
    'class Account { id = ""; close() {} } export function f(x: Account) {}',
    'close()',
    'The field "close" is a function, which no caller can send; take data instead',
  ),
  refusal(
    'export class Orders { constructor(private db: string) {} list() { return this.db } }',
    'Orders {',
    'The class needs arguments to be created; export an object of it: export const name = new …',
    'Orders.list',
  ),
  refusal(
    'type Grow<T> = { value: T; next?: Grow<T[]> }; export function f(x: Grow<string>) {}',
    'value:',
    'The type is nested deeper than 40 levels, or without end; use a smaller one',
  ),
  refusal(
    'export function f([a, b]: [number, number]) { return a + b }',
    '[a, b]',
    'The parameter has no name; name it and take it apart in the body',
  ),
  refusal(
    'export function f({ length }: string) { return length }',
    '{ length }',
    'The parameter has no name; name it, or use an object type',
  ),
  refusal(
    'export function f(__proto__: string) {}',
    '__proto__',
    'A parameter must not be named "__proto__"; rename it',
  ),
  refusal(
    'export function f(x: { ["__proto__"]: string }) {}',
    '["__proto__"]',
    'A field must not be named "__proto__"; rename it',
  ),
  refusal('export function f(x: Intl.NumberFormat) {}', 'x:', 'NumberFormat has no form in JSON; use a plain object'),
  refusal(
    'export function listAll() {} export function list_all() {}',
    'list_all',
    '"list_all" and "listAll" have the same name on the command line; rename one',
    'list_all',
  ),
  refusal(
    'export function größe() {}',
    'größe',
    '"größe" cannot be the name of a function on every wire; use letters, digits and "_"',
    'größe',
  ),
  refusal(
    'export function f(x: abstract new () => object) {}',
    'x:',
    'A caller cannot send a function; take data instead',
  ),
  refusal(
    'export function f(): {} { return 1 }',
    '{} {',
    '{} can be anything, so nobody knows what is sent; declare its fields, or use unknown',
  ),
  refusal(
    'export function f<T extends {}>(x: T): T { return x }',
    'T {',
    '{} can be anything, so nobody knows what is sent; declare its fields, or use unknown',
  ),
  refusal(
    'export function f<T extends { a: string }, K extends keyof T>(x: T, k: K[]): Pick<T, K> { return x }',
    'Pick<T, K> {',
    'Pick<T, K> depends on what callers choose; use the type that is meant',
  ),
  refusal(
    'export function f<T>(x: T & { a: string }) {}',
    'x:',
    'T can be any type; give it a constraint (<T extends …>), or use the type that is meant',
  ),
  refusal(
    'export function f(): string[] & { total: number } { return null! }',
    'string[]',
    'An array has no field "total" in JSON; use an object with the items and the field',
  ),
  refusal(
    'interface Base extends Missing { a: string } interface Own extends Base {} export function f(): Own { return null! }',
    'Missing',
    "Cannot find name 'Missing'. Import or declare it.",
  ),
  refusal(
    'export function f(x: `${number}e${number}`) {}',
    'x:',
    'A number before "e" in a template cannot be told apart; use string',
  ),
  refusal(
    'interface Lazy extends Promise<string> { own: 1 } export function f(): Lazy[] { return [] }',
    'Lazy[]',
    'A promise inside of a value cannot be sent; use the value itself',
  ),
];

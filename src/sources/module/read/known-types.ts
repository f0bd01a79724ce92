import type { JsonSchema } from '../../../schema/json-schema.ts';
import { forms } from '../../../schema/wire-forms.ts';
import type { Program, Sym } from '../compiler/program.ts';
import { SHAPE } from '../shape.ts';

const { format: _int64, ...ANY_BIGINT } = forms.bigint;

/** Any number of digits, as for schema libraries. */
export const BIGINT: JsonSchema = ANY_BIGINT;

/** Classes of the language and of its runtimes that have a form in JSON. */
export const KNOWN: Readonly<Record<string, JsonSchema>> = {
  Date: forms.date,
  Uint8Array: forms.bytes,
  Buffer: { ...forms.bytes, [SHAPE]: 'buffer' },
  ArrayBuffer: { ...forms.bytes, [SHAPE]: 'array-buffer' },
  URL: { type: 'string', format: 'uri', [SHAPE]: 'url' },
  File: forms.file,
  Blob: forms.file,
};

/** Others, and what to do instead. */
export const UNKNOWN: Readonly<Record<string, string>> = {
  RegExp: 'a regular expression has no form in JSON; use a string',
  Function: 'a function has no form in JSON',
  WeakMap: 'a WeakMap has no form in JSON; use Map',
  WeakSet: 'a WeakSet has no form in JSON; use Set',
  WeakRef: 'a WeakRef has no form in JSON',
  Symbol: 'a symbol has no form in JSON; use a string',
  Error: 'an Error has no form in JSON; use its message, or throw a Failure',
  Promise: 'a promise inside of a value cannot be sent; use the value itself',
  PromiseLike: 'a promise inside of a value cannot be sent; use the value itself',
  ReadableStream: 'a stream cannot be sent; use an async generator or Uint8Array',
  AbortSignal: 'nobody can send an AbortSignal; use context.signal',
  Iterator: 'an iterator has no form in JSON; use an array',
  Iterable: 'an iterable has no form in JSON; use an array',
  IterableIterator: 'an iterator has no form in JSON; use an array',
  Generator: 'a generator inside of a value cannot be sent; use an array',
  AsyncGenerator: 'a generator inside of a value cannot be sent; use an array',
  AsyncIterable: 'an async iterable inside of a value cannot be sent; use an array',
  ...Object.fromEntries(
    ['Int8', 'Uint8Clamped', 'Int16', 'Uint16', 'Int32', 'Uint32', 'Float32', 'Float64', 'BigInt64', 'BigUint64'].map(
      (name) => [`${name}Array`, `${name}Array has no form in JSON; use number[] or Uint8Array`],
    ),
  ),
};

/** Whether a symbol belongs to the language or its runtime, and not to somebody's module. */
export function isBuiltIn(symbol: Sym, program: Program): boolean {
  const [first] = program.declarations(symbol);
  const file = first?.getSourceFile().fileName ?? '';
  return program.isLibrary(file) || /\/node_modules\/(?:@types\/(?:node|bun)|undici-types|bun-types)\//.test(file);
}

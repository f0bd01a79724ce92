import type { Code } from '../core/codes.ts';
import type { IsOptional } from '../core/nested-calls.ts';

/** The part of a definition that types of calls use. Structural, so that another copy of this package may define it. */
export interface TypedFunction {
  readonly name: string;
  readonly '~types'?: AnyTypes;
}

/** The types of a call. */
export interface AnyTypes {
  readonly input: any;
  readonly output: unknown;
  readonly errorCode: string;
  readonly chunk: unknown;
}

export type Rest<Input, Options> =
  IsOptional<Input> extends true ? [input?: Input, options?: Options] : [input: Input, options?: Options];

export type NameIn<F extends readonly TypedFunction[]> = F[number]['name'];

/** The types of all functions by name: a call looks its function up, instead of comparing its name with all of them. */
type ByName<F extends readonly TypedFunction[]> =
  string extends NameIn<F>
    ? { readonly [name: string]: TypesIn<F[number]> }
    : { readonly [K in F[number] as K['name']]: TypesIn<K> };

/** A definition that was not made with `defineFunction` has no types. */
type TypesIn<K extends TypedFunction> = NonNullable<unknown extends K['~types'] ? AnyTypes : K['~types']>;

/** The types of a function. */
export type TypesOf<F extends readonly TypedFunction[], Name extends NameIn<F>> = Extract<ByName<F>[Name], AnyTypes>;

export type InputOf<F extends readonly TypedFunction[], Name extends NameIn<F>> = TypesOf<F, Name>['input'];
export type OutputOf<F extends readonly TypedFunction[], Name extends NameIn<F>> = TypesOf<F, Name>['output'];
/** What the generator of a function yields. */
export type ChunkOf<F extends readonly TypedFunction[], Name extends NameIn<F>> = TypesOf<F, Name>['chunk'];
/** The codes that a function declares, and those of the framework. */
export type ErrorCodeOf<F extends readonly TypedFunction[], Name extends NameIn<F>> =
  | TypesOf<F, Name>['errorCode']
  | Code;

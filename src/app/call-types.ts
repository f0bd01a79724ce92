import type { Code } from '../core/codes.ts';

/** The part of a definition that types of calls use. Structural, so that another copy of this package may define it. */
export interface TypedFunction {
  readonly name: string;
  readonly '~types'?: {
    readonly input: any;
    readonly output: unknown;
    readonly errorCode: string;
    readonly chunk: unknown;
  };
}

/** The input is optional if the function requires no arguments. */
export type Rest<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : {} extends Input
    ? [input?: Input, options?: Options]
    : [input: Input, options?: Options];

export type NameIn<F extends readonly TypedFunction[]> = F[number]['name'];
type Named<F extends readonly TypedFunction[], Name> = string extends F[number]['name']
  ? F[number]
  : Extract<F[number], { readonly name: Name }>;
/** A definition that was not made with `defineFunction` has no types. */
type TypesOf<F extends readonly TypedFunction[], Name> = NonNullable<
  unknown extends Named<F, Name>['~types'] ? TypedFunction['~types'] : Named<F, Name>['~types']
>;
export type InputOf<F extends readonly TypedFunction[], Name> = TypesOf<F, Name>['input'];
export type OutputOf<F extends readonly TypedFunction[], Name> = TypesOf<F, Name>['output'];
/** What the generator of a function yields. */
export type ChunkOf<F extends readonly TypedFunction[], Name> = TypesOf<F, Name>['chunk'];
/** The codes that a function declares, and those of the framework. */
export type ErrorCodeOf<F extends readonly TypedFunction[], Name> = TypesOf<F, Name>['errorCode'] | Code;

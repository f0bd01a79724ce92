import type { Code } from '../core/codes.ts';

/** What the types of a call are read from: less than a definition, so that any copy of this package may have made it. */
export interface TypedFunction {
  readonly name: string;
  readonly '~types'?: { readonly input: any; readonly output: unknown; readonly errorCode: string };
}

/** Arguments may be left out where the function needs none. */
export type Rest<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : {} extends Input
    ? [input?: Input, options?: Options]
    : [input: Input, options?: Options];

export type NameIn<F extends readonly TypedFunction[]> = F[number]['name'];
type Named<F extends readonly TypedFunction[], Name> = string extends F[number]['name']
  ? F[number]
  : Extract<F[number], { readonly name: Name }>;
type TypesOf<F extends readonly TypedFunction[], Name> = NonNullable<Named<F, Name>['~types']>;
export type InputOf<F extends readonly TypedFunction[], Name> = TypesOf<F, Name>['input'];
export type OutputOf<F extends readonly TypedFunction[], Name> = TypesOf<F, Name>['output'];
/** The codes a function declares, and those that any call may end with. */
export type ErrorCodeOf<F extends readonly TypedFunction[], Name> = TypesOf<F, Name>['errorCode'] | Code;

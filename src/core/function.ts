import type { Accepted, AnySchema, Given, Schema, Sent, Standard } from '../schema/schema.ts';
import type { DeclaredScopes } from './access.ts';
import type { Code, DeclaredError, DeclaredErrors } from './codes.ts';
import type { Context, Needs, NoNeeds } from './context.ts';
import type { Failure } from './failure.ts';
import type { ReturnedFile } from './file-handle.ts';
import type { FunctionRate } from './rate.ts';
import type { TaskMode } from './task.ts';

/** What a function promises about its effects. MCP client applications use it to decide when to ask the user. */
export interface Hints {
  /** Changes nothing. */
  readonly readOnly?: boolean;
  /** Calling it twice has the same effect as calling it once. */
  readonly idempotent?: boolean;
  /** May delete or overwrite. */
  readonly destructive?: boolean;
}

/** How HTTP and CGI serve a function, in addition to `POST /functions/<name>`. */
export interface HttpOptions {
  /** `GET` and `DELETE` take the arguments from the query. `GET` is only for functions with `hints.readOnly`. */
  readonly method?: HttpMethod;
  /** A path of its own. A segment in braces is a required argument: `/users/{id}`. */
  readonly path?: string;
  /** `Cache-Control` of successful responses to GET; `no-cache` by default. */
  readonly cacheControl?: string;
  /** The status of a success; 200 by default. 204 is for functions that return nothing, and has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Headers that the function may set on a success, with `context.setHeader`. */
  readonly headers?: { readonly [name: string]: { readonly description: string } };
  /** Gives the function the body as it was sent, and the request headers, as `context.raw`. */
  readonly rawBody?: boolean;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How parameters are typed on the command line. Each also has a flag of its own name. */
export interface CliOptions {
  /** Parameters that are given by position, in this order. The last one takes the rest, if it is a list. */
  readonly positional?: readonly string[];
  /** One-letter flags, by parameter: `{ loud: 'l' }`. */
  readonly short?: { readonly [parameter: string]: string };
}

export interface Example {
  readonly title?: string;
  readonly input: unknown;
  /** The returned value; a list with `outputs`. */
  readonly output?: unknown;
}

/** The parts of a definition that do not depend on its types. */
interface FunctionFacts {
  readonly name: string;
  readonly description: string;
  /** `functions.<name>` by default. */
  readonly operationId?: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  /** The error codes it may raise, and what they mean. */
  readonly errors?: DeclaredErrors;
  readonly hints?: Hints;
  /** Still works, but should not be used any more. */
  readonly deprecated?: boolean;
  /** What a caller needs: a list, a function of the arguments, or `public`. For apps with `access`. */
  readonly scopes?: DeclaredScopes;
  /** How often it may be called, in addition to the limits of the app. */
  readonly rate?: FunctionRate | readonly FunctionRate[];
  /** How many of its calls run at once; the others wait. */
  readonly concurrent?: number;
  /** A path of its own, other methods, and what else only HTTP and CGI have. */
  readonly http?: HttpOptions;
  /** Positional arguments and short flags. */
  readonly cli?: CliOptions;
  /** Time limit in milliseconds; 0 for none. */
  readonly timeout?: number;
  /**
   * Whether a call may become a task, which outlives its request: `never` (default), `allowed` if the caller asks for it, or
   * `always`.
   */
  readonly task?: TaskMode;
  /** Time limit of a task in milliseconds, instead of `timeout`; 0 for none, which is the default. */
  readonly taskTimeout?: number;
  /** Milliseconds from its start for which a task and its result are kept; 0: for ever. 24 hours by default. */
  readonly taskTtl?: number;
  readonly examples?: readonly Example[];
  /** Reject unknown arguments instead of dropping them. */
  readonly strict?: boolean;
  /** `false`: do not repair arguments. */
  readonly coerce?: boolean;
}

/** A defined function: frozen data that several apps may serve. */
export interface FunctionDefinition<
  Name extends string = string,
  Input = any,
  Output = unknown,
  ErrorCode extends string = string,
  Chunk = unknown,
  N extends Needs = any,
> extends FunctionFacts {
  readonly name: Name;
  readonly input?: Schema;
  readonly output?: Schema;
  readonly outputs?: readonly Schema[];
  readonly yields?: Schema;
  readonly describe?: (data: any) => string;
  readonly beforeTask?: (input: any, context: Context<N['deps'], N['values']>) => unknown;
  readonly run: (input: any, context: Context<N['deps'], N['values']>) => unknown;
  /** For types only; never set at run time. */
  readonly '~types'?: {
    readonly input: Input;
    readonly output: Output;
    readonly errorCode: ErrorCode;
    readonly chunk: Chunk;
  };
  /** The same. */
  readonly '~needs'?: N;
}

/** The values that `run` returns: one, several or none. `undefined` comes first: without strictNullChecks, it extends everything. */
type Returns<Out, Outs> = Outs extends undefined
  ? Out extends undefined
    ? void
    : Accepted<Out> | (IsFile<Accepted<Out>> extends true ? ReturnedFile : never)
  : { readonly [K in keyof Outs]: Accepted<Outs[K]> };

/** Not true for `any` and `never`, which extend everything. */
type IsFile<T> = 0 extends 1 & T ? false : [T] extends [never] ? false : [T] extends [File] ? true : false;

/** The failures that `run` may return: of any code, unless the function declares codes. */
type Returnable<ErrorCode extends string> = [ErrorCode] extends [never] ? Failure : Failure<ErrorCode | Code>;

/** A generator yields chunks. Its answer is what it returns, or else its last chunk. */
type Streamed<T, Chunk> = AsyncIterable<Chunk, T | Untupled<T> | void>;

/** TypeScript infers `[1, 'x']` as a list where a generator returns it. */
type Untupled<T> = T extends readonly unknown[] ? T[number][] : never;

/**
 * `R`, which TypeScript infers for the result of `run`, if it fits. If not, the type that it should have had in its place, so
 * that the error names that one and not all that `run` may return.
 */
type Fitting<R, T, F, Chunk> = [R] extends [T | F]
  ? R
  : [R] extends [T | F | Streamed<T | F, Chunk> | Promise<T | F | Streamed<T | F, Chunk>>]
    ? R
    : [R] extends [Promise<infer V>]
      ? Promise<Wanted<V, T, F, Chunk>>
      : Wanted<R, T, F, Chunk>;

/** Is `Result`, but `R` is inferred from it, and the expressions that `run` returns do not depend on schemas. */
type Checked<R, Result> = [Result] extends [infer Same extends Inferred] ? Same : R;

type Wanted<R, T, F, Chunk> = [R] extends [AsyncIterable<infer Yielded, infer V>]
  ? AsyncGenerator<unknown extends Chunk ? Yielded : Chunk, WithFailure<V, T, F> | void>
  : WithFailure<R, T, F>;

/** Names failures only if one is returned. `undefined`, because a function of any result is assignable to one of `void`. */
type WithFailure<R, T, F> = [void] extends [T]
  ? WithFailure<R, undefined, F>
  : [Extract<R, Failure>] extends [never]
    ? T
    : T | F;

/**
 * Any type. What stands beside `{}` makes TypeScript infer `'a'` and `[1, 'x']` as they are, and not as `string` and a list,
 * before it knows the schema of the result.
 */
type Inferred = Narrow | {} | null | undefined | void;
type Narrow = '' | 0 | 0n | false | readonly [Narrow, ...Narrow[]] | { readonly [field: string]: Narrow };

/** The type that callers receive. */
type Data<Out, Outs> = Outs extends undefined
  ? Out extends undefined
    ? undefined
    : Sent<Out>
  : { -readonly [K in keyof Outs]: Sent<Outs[K]> };

type Arguments<In> = In extends undefined ? Record<string, never> : Given<In>;

/** A sentence that the error of the compiler shows, if the schema is not one of an object; `unknown` otherwise. */
type ObjectOnly<In> = In extends Standard | undefined
  ? IfObject<Accepted<In>>
  : In extends { readonly [field: string]: Standard }
    ? 'The fields of the input are schemas, but the input is not: wrap them in z.object({ … })'
    : IfObject<Accepted<In>>;

type IfObject<T> = unknown extends T
  ? unknown
  : [T] extends [object | undefined]
    ? T extends readonly unknown[]
      ? NotAnObject
      : unknown
    : NotAnObject;

type NotAnObject = 'The input of a function must be an object: z.object({ … })';

/** What an author writes. */
interface FunctionOptions<
  Name,
  In,
  Out,
  Outs,
  ErrorCode extends string,
  Yields,
  R,
  Result,
  N extends Needs,
> extends FunctionFacts {
  readonly name: Name & string;
  readonly input?: In & ObjectOnly<In>;
  readonly output?: Out;
  readonly outputs?: Outs;
  /** What a generator yields, one by one, before it returns; any JSON if this is left out. */
  readonly yields?: Yields;
  readonly errors?: { readonly [C in ErrorCode]: DeclaredError };
  /** Describes the result for people, instead of the text generated from the data. */
  readonly describe?: (data: Data<Out, Outs>) => string;
  /**
   * Runs before a call becomes a task, if its caller can be asked at once: to ask what must be known first. `run` finds the
   * answers when it asks under the same names.
   */
  readonly beforeTask?: (input: Arguments<In>, context: Context<N['deps'], N['values']>) => unknown;
  readonly run: (input: Arguments<In>, context: Context<N['deps'], N['values']>) => Checked<R, Result>;
}

/** The type of `defineFunction`. `N` is what functions expect of the app. */
export type DefineFunction<N extends Needs> = <
  const Name extends string,
  const In extends AnySchema | undefined = undefined,
  const Out extends AnySchema | undefined = undefined,
  const Outs extends readonly AnySchema[] | undefined = undefined,
  ErrorCode extends string = never,
  const Yields extends AnySchema | undefined = undefined,
  R extends Inferred = any,
  Result = Fitting<R, Returns<Out, Outs>, Returnable<ErrorCode>, Yields extends undefined ? unknown : Accepted<Yields>>,
>(
  definition: FunctionOptions<Name, In, Out, Outs, ErrorCode, Yields, R, Result, N>,
) => DefinedFunction<Name, In, Out, Outs, ErrorCode, Yields, N>;

/** The type that `defineFunction` returns. */
export interface DefinedFunction<
  Name extends string,
  In,
  Out,
  Outs,
  ErrorCode extends string,
  Yields,
  N extends Needs,
> extends FunctionDefinition<
  Name,
  In extends undefined ? Record<string, never> | undefined : Accepted<In>,
  Data<Out, Outs>,
  ErrorCode,
  Yields extends undefined ? unknown : Sent<Yields>,
  N
> {}

/**
 * Defines a function once, for every wire. `output` describes one returned value, `outputs` several; a function with
 * neither returns nothing.
 */
export const defineFunction: DefineFunction<NoNeeds> = (definition) => {
  const { hints, rate, http, cli, errors, examples, tags, outputs } = definition;
  for (const part of [hints, rate, http, cli, errors, examples, tags]) freeze(part);
  if (outputs) Object.freeze(outputs);
  return Object.freeze({ ...definition }) as never;
};

/** Freezes deeply. Not for schemas, which belong to their libraries. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}

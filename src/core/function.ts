import type { Accepted, Given, Schema, Sent } from '../schema/schema.ts';
import type { DeclaredScopes } from './access.ts';
import type { DeclaredErrors } from './codes.ts';
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

type None = undefined;

/** The values that `run` returns: one, several or none. */
type Returns<Out, Outs> = Outs extends readonly Schema[]
  ? { readonly [K in keyof Outs]: Accepted<Outs[K]> }
  : Out extends Schema
    ? Accepted<Out> | (IsFile<Accepted<Out>> extends true ? ReturnedFile : never)
    : void;

/** Not true for `any` and `never`, which extend everything. */
type IsFile<T> = 0 extends 1 & T ? false : [T] extends [never] ? false : [T] extends [File] ? true : false;

/**
 * The return type of `run`. `readonly [never]` has no values: it makes TypeScript infer `[1, 'x']` as a tuple before
 * it knows that `outputs` requires one.
 */
type Returned<Out, Outs> = Returns<Out, Outs> | Failure | readonly [never];

/** A generator yields chunks. Its answer is what it returns, or else its last chunk. */
type Streamed<Out, Outs, Yields> = AsyncIterable<
  Yields extends Schema ? Accepted<Yields> : unknown,
  Returned<Out, Outs> | void
>;

/** What a caller receives. */
type Data<Out, Outs> = Outs extends readonly Schema[]
  ? { -readonly [K in keyof Outs]: Sent<Outs[K]> }
  : Out extends Schema
    ? Sent<Out>
    : undefined;

type Arguments<In> = In extends Schema ? Given<In> : Record<string, never>;

/** What an author writes. */
export interface FunctionOptions<Name, In, Out, Outs, Errors, Yields, N extends Needs> extends FunctionFacts {
  readonly name: Name & string;
  readonly input?: In;
  readonly output?: Out;
  readonly outputs?: Outs;
  /** What a generator yields, one by one, before it returns; any JSON if this is left out. */
  readonly yields?: Yields;
  readonly errors?: Errors & DeclaredErrors;
  /** Describes the result for people, instead of the text generated from the data. */
  readonly describe?: (data: Data<Out, Outs>) => string;
  /**
   * Runs before a call becomes a task, if its caller can be asked at once: to ask what must be known first. `run` finds the
   * answers when it asks under the same names.
   */
  readonly beforeTask?: (input: Arguments<In>, context: Context<N['deps'], N['values']>) => unknown;
  readonly run: (
    input: Arguments<In>,
    context: Context<N['deps'], N['values']>,
  ) => Returned<Out, Outs> | Streamed<Out, Outs, Yields> | Promise<Returned<Out, Outs> | Streamed<Out, Outs, Yields>>;
}

/** What becomes of it. */
export type DefinedFunction<Name extends string, In, Out, Outs, Errors, Yields, N extends Needs> = FunctionDefinition<
  Name,
  In extends Schema ? Accepted<In> : Record<string, never> | undefined,
  Data<Out, Outs>,
  Extract<keyof Errors, string>,
  Yields extends Schema ? Sent<Yields> : unknown,
  N
>;

/**
 * Defines a function once, for every wire. `output` describes one returned value, `outputs` several; a function with
 * neither returns nothing.
 */
export function defineFunction<
  const Name extends string,
  const In extends Schema | None = None,
  const Out extends Schema | None = None,
  const Outs extends readonly Schema[] | None = None,
  const Errors extends DeclaredErrors = {},
  const Yields extends Schema | None = None,
>(
  definition: FunctionOptions<Name, In, Out, Outs, Errors, Yields, NoNeeds>,
): DefinedFunction<Name, In, Out, Outs, Errors, Yields, NoNeeds> {
  const { hints, rate, http, cli, errors, examples, tags, outputs } = definition;
  for (const part of [hints, rate, http, cli, errors, examples, tags]) freeze(part);
  if (outputs) Object.freeze(outputs);
  return Object.freeze({ ...definition }) as never;
}

/** Freezes deeply. Not for schemas, which belong to their libraries. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}

import type { Accepted, Given, Schema, Sent } from '../schema/schema.ts';
import type { DeclaredErrors } from './codes.ts';
import type { Context } from './context.ts';
import type { Failure } from './failure.ts';

/** What a function promises about its effects; MCP hosts use it to decide when to ask a person. */
export interface Hints {
  /** Changes nothing. */
  readonly readOnly?: boolean;
  /** Doing it twice is the same as doing it once. */
  readonly idempotent?: boolean;
  /** May delete or overwrite. */
  readonly destructive?: boolean;
}

export interface Example {
  readonly title?: string;
  readonly input: unknown;
  /** The value returned (the list of them, for several). */
  readonly output?: unknown;
}

/** Everything of a definition but its types. */
export interface FunctionFacts {
  readonly name: string;
  readonly description: string;
  /** The name on every wire, instead of `functions.<name>`. */
  readonly operationId?: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  /** The error codes it may raise, with what they mean. */
  readonly errors?: DeclaredErrors;
  readonly hints?: Hints;
  /** Milliseconds it may take; 0 for no limit. */
  readonly timeout?: number;
  readonly examples?: readonly Example[];
  /** Refuse arguments that the schema does not name, instead of dropping them. */
  readonly strict?: boolean;
  /** `false`: take arguments as they come, without repair. */
  readonly coerce?: boolean;
}

/** A function, defined: plain frozen data that any number of apps may serve. */
export interface FunctionDefinition<
  Name extends string = string,
  Input = any,
  Output = unknown,
  ErrorCode extends string = string,
> extends FunctionFacts {
  readonly name: Name;
  readonly input?: Schema;
  readonly output?: Schema;
  readonly outputs?: readonly Schema[];
  readonly describe?: (data: any) => string;
  readonly run: (input: any, context: Context) => unknown;
  /** Types only, for clients; never there at run time. */
  readonly '~types'?: { readonly input: Input; readonly output: Output; readonly errorCode: ErrorCode };
}

type None = undefined;

/** What a handler returns: one value, several, or none; or a failure. */
type Returns<Out, Outs> = Outs extends readonly Schema[]
  ? { readonly [K in keyof Outs]: Accepted<Outs[K]> }
  : Out extends Schema
    ? Accepted<Out>
    : void;

/**
 * What a handler may return. No value is of the last type: it makes TypeScript take `[1, 'x']` for a pair, before it knows
 * that `outputs` asks for one.
 */
type Returned<Out, Outs> = Returns<Out, Outs> | Failure | readonly [never];

/** What a caller gets. */
type Data<Out, Outs> = Outs extends readonly Schema[]
  ? { -readonly [K in keyof Outs]: Sent<Outs[K]> }
  : Out extends Schema
    ? Sent<Out>
    : undefined;

type Arguments<In> = In extends Schema ? Given<In> : Record<string, never>;

/**
 * Defines a function once, for every wire. `output` describes one value, `outputs` several;
 * with neither it returns nothing.
 */
export function defineFunction<
  const Name extends string,
  const In extends Schema | None = None,
  const Out extends Schema | None = None,
  const Outs extends readonly Schema[] | None = None,
  const Errors extends DeclaredErrors = {},
>(
  definition: FunctionFacts & {
    readonly name: Name;
    readonly input?: In;
    readonly output?: Out;
    readonly outputs?: Outs;
    readonly errors?: Errors;
    /** The answer in words, where a person reads it, instead of the text made from the data. */
    readonly describe?: (data: Data<Out, Outs>) => string;
    readonly run: (input: Arguments<In>, context: Context) => Returned<Out, Outs> | Promise<Returned<Out, Outs>>;
  },
): FunctionDefinition<
  Name,
  In extends Schema ? Accepted<In> : Record<string, never> | undefined,
  Data<Out, Outs>,
  Extract<keyof Errors, string>
> {
  const { hints, errors, examples, tags, outputs } = definition;
  for (const part of [hints, errors, examples, tags]) freeze(part);
  if (outputs) Object.freeze(outputs);
  return Object.freeze({ ...definition }) as never;
}

/** All the way down. Schemas are left to their libraries. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}

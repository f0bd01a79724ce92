import type { CallState } from './call-state.ts';
import { Failure, FrameworkError, isByFramework } from './failure.ts';
import type { Failed } from './outcome.ts';

/** Calls a function of the app: by its definition, which types the call, or by its name, which does not. */
export interface CallFunction {
  <F extends TypedDefinition>(fn: F, ...rest: Arguments<TypesOf<F>['input']>): Promise<TypesOf<F>['output']>;
  (name: string, input?: unknown): Promise<unknown>;
}

/** The part of a definition that types of calls use. Structural, so that another copy of this package may define it. */
interface TypedDefinition {
  readonly name: string;
  readonly '~types'?: { readonly input: any; readonly output: unknown };
}

type TypesOf<F extends TypedDefinition> = NonNullable<F['~types']>;

type Arguments<Input> = IsOptional<Input> extends true ? [input?: Input] : [input: Input];

/**
 * Whether a call may leave out its input: the function requires no arguments. Without strictNullChecks `undefined` extends
 * everything, and says nothing.
 */
export type IsOptional<Input> = {} extends Input
  ? true
  : undefined extends Input
    ? undefined extends string
      ? false
      : true
    : false;

/** Calls a function on behalf of another call. */
export type CallNested = (outer: CallState, target: string | TypedDefinition, input: unknown) => Promise<unknown>;

/** A cycle of calls would otherwise go on until the time limit. */
export const MAX_NESTED_CALLS = 64;

/** Failures for which the calling function is to blame, and not its caller. */
const BUGS = new Set(['INVALID_ARGUMENTS', 'INVALID_OUTPUT', 'INTERNAL_ERROR', 'INVALID_RESPONSE_FORMAT']);

/** What `context.call` throws for a failed call. */
export function toThrown(outcome: Failed, operationId: string): Error {
  const { code, message, ...options } = outcome.error;
  if (!isByFramework(outcome)) return new Failure(code, message, options);
  if (BUGS.has(code)) return new Error(`context.call: ${operationId}: ${message}`);
  return new FrameworkError(code, message, options);
}

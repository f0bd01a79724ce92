import { Approved } from './approved.ts';
import { createContext } from './call-context.ts';
import type { CallState } from './call-state.ts';
import type { Context } from './context.ts';
import { isOutcome, messageOf, ownStatusOf, userFailure, withStatus } from './failure.ts';
import type { Failed, FailureData, Outcome, Success } from './outcome.ts';
import type { RegisteredFunction } from './registered-function.ts';
import { stackOf } from './report.ts';
import type { Report } from './report.ts';

/** Wraps every call, outermost first. It gets valid arguments and may replace the outcome. */
export type Middleware<Deps extends object = {}, Values extends object = {}> = (
  call: MiddlewareCall<Deps, Values>,
  next: Next<Values>,
) => Outcome | Promise<Outcome>;

export interface MiddlewareCall<Deps extends object = {}, Values extends object = {}> {
  readonly function: RegisteredFunction;
  readonly input: unknown;
  /** Has the values of the middleware around this one. */
  readonly context: Context<Deps, Partial<Values>>;
}

/**
 * Runs the rest: further middleware, then the function. They find the values in `context.values`. `Values` are those that an
 * app may have; `{}` for any.
 */
export type Next<Values extends object = {}> = <
  const Given extends ({} extends Values ? object : Partial<Values>) = {},
>(
  values?: Given,
) => Promise<Outcome & Adds<Given>>;

/** Carries the type of the values from `next` to `createApp`; never set at run time. */
export interface Adds<Given> {
  readonly '~values'?: Given;
}

/** The steps of the pipeline that middleware depends on. */
interface Steps {
  readonly report: Report;
  /** Runs the function. */
  readonly execute: (
    fn: RegisteredFunction,
    input: unknown,
    state: CallState,
    context?: Context,
  ) => Outcome | Promise<Outcome>;
  /** Checks data that did not come from the function. */
  readonly confirm: (success: Success<unknown>, fn: RegisteredFunction, state: CallState) => Outcome;
  readonly unexpected: (thrown: unknown, fn: RegisteredFunction, state: CallState) => Outcome;
}

/** One call on its way through the layers. */
interface Invocation {
  readonly fn: RegisteredFunction;
  readonly input: unknown;
  readonly state: CallState;
  readonly approved: Approved;
  /** The function. */
  running?: Outcome | Promise<Outcome>;
}

/** The function inside all middleware. */
export function createMiddlewareChain(layers: readonly Middleware[], steps: Steps): Steps['execute'] {
  if (layers.length === 0) return steps.execute;

  return async (fn, input, state) => {
    const invocation: Invocation = { fn, input, state, approved: new Approved() };
    const outcome = await enter(0, invocation, state.context);
    // The call was answered, and its middleware is done; its place is free when the function is, too.
    if (state.ended) await invocation.running;
    // A layer may have mutated the outcome after it was approved.
    return invocation.approved.isUnchanged(outcome) ? outcome : checked(outcome, invocation);
  };

  async function enter(index: number, invocation: Invocation, context: Context): Promise<Outcome> {
    const { fn, input, state, approved } = invocation;
    const layer = layers[index];
    if (!layer) return approved.add(await (invocation.running = steps.execute(fn, input, state, context)));
    try {
      const next = async (values?: object) => {
        const inner = values === undefined ? context : withValues(state, context, values);
        // Once the call was answered, nothing new is started: `next` returns what was sent.
        return state.ended ?? state.untilEnded(enter(index + 1, invocation, inner));
      };
      const outcome = await layer({ function: fn, input, context }, next);
      return approved.has(outcome) || outcome === state.ended ? outcome : checked(outcome, invocation);
    } catch (thrown) {
      return approved.add(steps.unexpected(thrown, fn, state));
    }
  }

  function checked(outcome: Outcome, { fn, state, approved }: Invocation): Outcome {
    try {
      if (!isOutcome(outcome)) throw new Error('Middleware must return an Outcome');
      if (outcome.ok) return approved.add(steps.confirm(outcome, fn, state));
      return approved.add(rebuilt(outcome.error, fn, state, approved));
    } catch (thrown) {
      return approved.add(steps.unexpected(thrown, fn, state));
    }
  }

  /** Copies the known fields of a failure, so that nothing else is sent. */
  function rebuilt(error: FailureData, fn: RegisteredFunction, state: CallState, approved: Approved): Failed {
    const { code, details, retry } = error;
    const retryAfter = error.retryAfter as number;
    // An Error's message may contain paths and stacks, which are for the log only.
    const message = error instanceof Error ? messageOf(error) : error.message;
    if (isUnexpected(code) && !approved.hasFailure(code, message))
      return steps.report.problem(code, message, state, stackOf(error));
    const options = { details, retry, retryAfter, ...withStatus(ownStatusOf(error)) };
    return userFailure({ code, message, options }, fn.definition.errors);
  }
}

/** A context of its own: values are for what is behind a layer, and not for the layers around it. */
function withValues(state: CallState, { values }: Context, added: object): Context {
  if (typeof added !== 'object' || added === null) throw new TypeError('next takes an object of values, or nothing');
  return createContext(state, Object.freeze({ ...values, ...added }));
}

/** Codes whose messages may reveal internals of the app. */
function isUnexpected(code: string): code is 'INTERNAL_ERROR' | 'INVALID_OUTPUT' {
  return code === 'INTERNAL_ERROR' || code === 'INVALID_OUTPUT';
}

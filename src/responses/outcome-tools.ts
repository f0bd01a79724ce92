import { Failure, isFailure, isOutcome, messageOf, refuse, userFailure } from '../core/failure.ts';
import type { FailureOptions } from '../core/failure.ts';
import { isThenable } from '../core/safely.ts';
import { success } from '../core/outcome.ts';
import type { Failed, Outcome } from '../core/outcome.ts';

export { isOutcome, success };

/** A Failure as an outcome, for code that does not throw. */
export function failure<const C extends string>(code: C, message: string, options: FailureOptions = {}): Failed<C> {
  return userFailure(new Failure<C>(code, message, options)) as Failed<C>;
}

/** Maps the data of a success; a failure stays as it is. */
export function map<T, U, C extends string>(outcome: Outcome<T, C>, change: (data: T) => U): Outcome<U, C> {
  return outcome.ok ? success(change(outcome.data)) : outcome;
}

/** Returns the data, or throws the failure. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.data;
  const { code, message, ...options } = outcome.error;
  throw new Failure(code, message, options);
}

/** The return type of `fromThrowable(fn)`: synchronous, a promise, or both. */
type Caught<R> = 0 extends 1 & R
  ? Outcome<any> // R is any
  : Now<Exclude<R, PromiseLike<unknown>>> | Later<Extract<R, PromiseLike<unknown>>>;
type Now<T> = [T] extends [never] ? never : Outcome<Exclude<T, Failure>>;
type Later<T> = [T] extends [never] ? never : Promise<Outcome<Exclude<Awaited<T>, Failure>>>;

/** Wraps a function so that it always returns an outcome and never throws or rejects. */
export function fromThrowable<A extends readonly unknown[], R>(fn: (...args: A) => R): (...args: A) => Caught<R> {
  return (...args) => {
    try {
      const result: unknown = fn(...args);
      return (
        isThenable(result) ? Promise.resolve(result).then(fromReturned, fromThrown) : fromReturned(result)
      ) as Caught<R>;
    } catch (thrown) {
      return fromThrown(thrown) as Caught<R>;
    }
  };
}

function fromReturned(value: unknown): Outcome {
  return isFailure(value) ? userFailure(value) : success(value);
}

/** Keeps a Failure; anything else becomes INTERNAL_ERROR, without stack or paths. */
export function fromThrown(thrown: unknown): Failed {
  return isFailure(thrown) ? userFailure(thrown) : refuse('INTERNAL_ERROR', messageOf(thrown));
}

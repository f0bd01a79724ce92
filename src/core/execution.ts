import { contentSchema } from '../schema/content-blocks.ts';
import type { ContentBlock } from '../schema/content-blocks.ts';
import { summarize } from '../schema/problem.ts';
import type { CallState } from './call-state.ts';
import type { Log } from './context.ts';
import { isFailure, userFailure } from './failure.ts';
import type { FailureParts } from './failure.ts';
import { compileResults } from './input-output.ts';
import type { Rejected } from './input-output.ts';
import type { Limits } from './limits.ts';
import { success } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import type { RegisteredFunction } from './registered-function.ts';
import type { Report } from './report.ts';
import { isAsyncIterable, isThenable, safely } from './safely.ts';
import { cancelled } from './time-limit.ts';
import { createUndeclaredLog } from './undeclared.ts';

interface ExecutionOptions {
  readonly limits: Limits;
  readonly log: Log;
  readonly report: Report;
}

/** The last steps of the pipeline: runs a function, checks what it returns, and makes an outcome of it. */
export interface Execution {
  readonly execute: (
    fn: RegisteredFunction,
    input: unknown,
    state: CallState,
    context?: CallState['context'],
  ) => Outcome | Promise<Outcome>;
  /** Data that a middleware returned instead of the function. */
  readonly confirm: (
    replaced: { data: unknown; content?: readonly ContentBlock[] },
    fn: RegisteredFunction,
    state: CallState,
  ) => Outcome;
  /** What the function itself threw, or the Failure that it returned. */
  readonly threw: (thrown: unknown, fn: RegisteredFunction, state: CallState) => Outcome;
  /** For errors thrown by other code. A Failure is sent as it is, and so is an error of a class that is declared. Others are logged, and masked if the app says so. */
  readonly unexpected: (thrown: unknown, fn: RegisteredFunction, state: CallState) => Outcome;
}

export function createExecution({ limits, log, report }: ExecutionOptions): Execution {
  const noteUndeclared = createUndeclaredLog(log);
  const checkContent = compileResults({ kind: 'one', schema: { json: contentSchema, parse: undefined } }, limits.depth);
  return { execute, confirm, threw, unexpected };

  function execute(
    fn: RegisteredFunction,
    input: unknown,
    state: CallState,
    context = state.context,
  ): Outcome | Promise<Outcome> {
    try {
      const value = fn.definition.run(input, context);
      if (!isThenable(value)) return isAsyncIterable(value) ? stream(fn, value, state) : release(fn, value, state);
      return Promise.resolve(value).then(
        (late) => (isAsyncIterable(late) ? stream(fn, late, state) : release(fn, late, state)),
        // A function that waits for its signal throws when the call is cancelled, as it should.
        (thrown: unknown) => (state.ended && isAbortError(thrown) ? state.ended : threw(thrown, fn, state)),
      );
    } catch (thrown) {
      return threw(thrown, fn, state);
    }
  }

  async function stream(fn: RegisteredFunction, chunks: AsyncIterable<unknown>, state: CallState): Promise<Outcome> {
    try {
      const { drain } = await import('./stream.ts');
      const end = await drain(chunks, fn, state, report);
      if (end.kind === 'returned') return await release(fn, end.value, state);
      return end.kind === 'invalid' ? invalidOutput(end.chunk, state) : (state.ended ?? cancelled());
    } catch (thrown) {
      return state.ended && isAbortError(thrown) ? state.ended : threw(thrown, fn, state);
    }
  }

  function release(fn: RegisteredFunction, value: unknown, state: CallState): Outcome | Promise<Outcome> {
    if (isFailure(value)) return threw(value, fn, state);
    try {
      const released = fn.release(value, state);
      if (!(released instanceof Promise))
        return released.problems ? invalidOutput(released, state) : succeed(released.value, state.attached, state);
      return released.then(
        (late) => (late.problems ? invalidOutput(late, state) : succeed(late.value, state.attached, state)),
        (thrown: unknown) => unexpected(thrown, fn, state),
      );
    } catch (thrown) {
      return unexpected(thrown, fn, state);
    }
  }

  function confirm(
    { data, content }: { data: unknown; content?: readonly ContentBlock[] },
    fn: RegisteredFunction,
    state: CallState,
  ): Outcome {
    const confirmed = fn.confirm(data);
    return confirmed.problems ? invalidOutput(confirmed, state) : succeed(confirmed.value, content, state);
  }

  /** Attached content is checked too. */
  function succeed(data: unknown, content: readonly ContentBlock[] | undefined, state: CallState): Outcome {
    if (content === undefined) return success(data);
    const released = checkContent.confirm(content);
    return released.problems
      ? invalidOutput(released, state)
      : success(data, released.value as readonly ContentBlock[]);
  }

  function threw(thrown: unknown, fn: RegisteredFunction, state: CallState): Outcome {
    const failure = failureIn(thrown, fn);
    if (failure) noteUndeclared(failure, fn);
    return failure ? userFailure(failure, fn.definition.errors) : report.thrown(thrown, state);
  }

  function unexpected(thrown: unknown, fn: RegisteredFunction, state: CallState): Outcome {
    const failure = failureIn(thrown, fn);
    return failure ? userFailure(failure, fn.definition.errors) : report.thrown(thrown, state);
  }

  function invalidOutput({ problems }: Rejected, state: CallState): Outcome {
    return report.problem('INVALID_OUTPUT', `Invalid output: ${summarize(problems)}`, state);
  }
}

/** The failure to send for a thrown value; undefined if it is not meant for callers. */
const failureIn = (thrown: unknown, fn: RegisteredFunction): FailureParts | undefined =>
  isFailure(thrown) ? thrown : fn.toFailure?.(thrown);

const isAbortError = (thrown: unknown) => safely(() => (thrown as Error).name === 'AbortError') === true;

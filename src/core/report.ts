import type { Code } from './codes.ts';
import type { Log } from './context.ts';
import { MAX_LENGTH, messageOf, refuse } from './failure.ts';
import { safely } from './safely.ts';
import type { Failed } from './outcome.ts';

/** Where something unexpected happened. */
interface Where {
  readonly operationId?: string | undefined;
  readonly requestId?: string | undefined;
  /** The part that failed, if not the function itself: `clock`, `describe`, … */
  readonly part?: string;
}

/** Logs an unexpected error, with its stack, and returns a failure for the caller. */
export interface Report {
  /** For thrown values. */
  readonly thrown: (thrown: unknown, where?: Where) => Failed;
  /** For everything else. */
  readonly problem: (code: Code, message: string, where?: Where, stack?: string) => Failed;
}

/** `masked`: callers get an error id instead of the message. The log contains both. */
export function createReport(log: Log, masked: boolean): Report {
  return {
    thrown: (thrown, where) => problem('INTERNAL_ERROR', messageOf(thrown), where, stackOf(thrown)),
    problem,
  };

  function problem(code: Code, message: string, where: Where = {}, stack?: string): Failed {
    const errorId = crypto.randomUUID();
    const { operationId, requestId, part } = where;
    log.error(message, {
      code,
      ...(operationId !== undefined && { operationId }),
      ...(requestId !== undefined && { requestId }),
      ...(part !== undefined && { part }),
      errorId,
      ...(stack && { stack }),
    });
    return refuse(code, masked ? `Something went wrong (error id ${errorId})` : message);
  }
}

export function stackOf(thrown: unknown): string | undefined {
  const stack = safely(() => (thrown as { stack?: unknown }).stack);
  if (typeof stack !== 'string') return undefined;
  // It begins with the whole message, and ends with the frames.
  return stack.length > 2 * MAX_LENGTH ? `${stack.slice(0, MAX_LENGTH)}…${stack.slice(-MAX_LENGTH)}` : stack;
}

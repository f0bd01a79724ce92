import type { Log } from './context.ts';
import { messageOf } from './failure.ts';
import { quietly } from './foreign.ts';

/** Logs an unexpected error with its stack. Returns the id under which it can be found in the log. */
export function logFault(log: Log, what: string, thrown: unknown): string {
  const errorId = crypto.randomUUID();
  const stack = quietly(() => (thrown as { stack?: unknown }).stack);
  // A logger that throws must not replace one failure by another.
  quietly(() =>
    log.error(`${what}: ${messageOf(thrown)}`, {
      code: 'INTERNAL_ERROR',
      errorId,
      ...(typeof stack === 'string' && { stack }),
    }),
  );
  return errorId;
}

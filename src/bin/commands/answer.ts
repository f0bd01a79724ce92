import type { App } from '../../app/app.ts';
import { render } from '../../app/respond.ts';
import type { Answer } from '../../app/respond.ts';
import { messageOf, refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import { claimStdoutSync } from '../../stdout/claim.ts';
import { printError } from '../../stdout/stderr.ts';
import { isTerminal } from '../../stdout/terminal.ts';
import { onWriteError } from '../../stdout/write.ts';
import { encodeCli } from '../../wires/cli/encode.ts';
import type { CliReplyOptions } from '../../wires/cli/encode.ts';
import { stopAndExit } from '../end-process.ts';
import { describeThrown, surviveUncaught } from '../uncaught.ts';

let isAnswered = false;
let called: App | undefined;
const controller = new AbortController();

/**
 * Prints an answer, and when it is written stops the app and ends the process: the app may hold timers and connections open.
 * Only the first answer counts.
 */
export function answer(answered: Answer, options: Omit<CliReplyOptions, 'isTerminal'>): void {
  if (isAnswered) return;
  isAnswered = true;
  const { write } = claimStdoutSync();
  const { stdout, error, exitCode } = encodeCli(answered, { ...options, isTerminal });
  const exit = () => {
    controller.abort(); // the function may still run
    void stopAndExit(called, exitCode);
  };
  if (error !== undefined) printError(error);
  if (stdout === undefined) exit();
  else write(stdout, exit);
}

/** Cancels the call on Ctrl+C, and on SIGTERM if the app has something to stop. */
export function cancelledBySignals(app: App): AbortSignal {
  const cancel = () => controller.abort();
  process.on('SIGINT', cancel); // not once: a second Ctrl+C must not end the process before the response
  // Otherwise the signal ends the process, also that of a function which never yields.
  if (app.needsStop) {
    process.on('SIGTERM', cancel);
    onWriteError((code) => void stopAndExit(app, code));
  }
  return controller.signal;
}

/**
 * Ensures that a call is answered whatever the function does: it may throw where nobody can catch it, wait forever, or end
 * the process. CGI responds with the same failures.
 */
export function alwaysAnswer(
  app: App,
  fn: RegisteredFunction | undefined,
  profile: Profile,
  options: Pick<CliReplyOptions, 'isExact' | 'isStream' | 'format'>,
): void {
  called = app;
  const fail = (failed: Failed) => answer(render(failed, fn, profile), options);
  surviveUncaught((thrown) => {
    const errorId = crypto.randomUUID();
    const isMasked = app.errors !== 'shown';
    printError(`uncaught${isMasked ? ` (error id ${errorId})` : ''}: ${describeThrown(thrown)}`);
    fail(refuse('INTERNAL_ERROR', isMasked ? `Something went wrong (error id ${errorId})` : messageOf(thrown)));
  });
  // The event loop is empty, and the call has not ended.
  process.on('beforeExit', () => fail(refuse('INTERNAL_ERROR', 'The function never returned')));
  process.on('exit', () => fail(refuse('INTERNAL_ERROR', 'The function ended the process before it returned')));
}

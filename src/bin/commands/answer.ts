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
import { encodeCli } from '../../wires/cli/encode.ts';
import type { CliReplyOptions } from '../../wires/cli/encode.ts';
import { describeThrown, surviveUncaught } from '../uncaught.ts';

let isAnswered = false;

/**
 * Prints an answer and ends the process when it is written: the app may hold timers and connections open. Only the first
 * answer counts.
 */
export function answer(answered: Answer, options: Omit<CliReplyOptions, 'isTerminal'>): void {
  if (isAnswered) return;
  isAnswered = true;
  const { write } = claimStdoutSync();
  const { stdout, error, exitCode } = encodeCli(answered, { ...options, isTerminal });
  const exit = () => process.exit(exitCode);
  if (error !== undefined) printError(error);
  if (stdout === undefined) exit();
  else write(stdout, exit);
}

/**
 * Ensures that a call is answered whatever the function does: it may throw where nobody can catch it, wait forever, or end
 * the process. CGI responds with the same failures.
 */
export function alwaysAnswer(
  app: App,
  fn: RegisteredFunction,
  profile: Profile,
  reply: Pick<CliReplyOptions, 'isExact' | 'format'>,
): void {
  const fail = (failed: Failed) => answer(render(failed, fn, profile), reply);
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

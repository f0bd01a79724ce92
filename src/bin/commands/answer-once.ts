import type { App } from '../../app/app.ts';
import { messageOf, refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import { render } from '../../app/respond.ts';
import type { Answer } from '../../app/respond.ts';
import { answer } from './answer.ts';
import type { AnswerOptions } from './answer.ts';
import { reasonOf, surviveStrays } from '../uncaught.ts';
import { complain } from '../../stdout/stderr.ts';

let isAnswered = false;

/** Ends the command with an answer, unless it has one already: what happens after that changes nothing. */
export function answerOnce(answered: Answer, options: AnswerOptions): void {
  if (isAnswered) return;
  isAnswered = true;
  answer(answered, options);
}

/**
 * Sees to it that a call is answered whatever the function does: throws where nobody can catch it, waits for something
 * that never comes, or ends the process. The same failures that a web server gets over CGI.
 */
export function alwaysAnswer(app: App, fn: RegisteredFunction, profile: Profile, exact: boolean): void {
  const fail = (failed: Failed) => answerOnce(render(failed, fn, profile), { exact });
  surviveStrays((thrown) => {
    const errorId = crypto.randomUUID();
    const isMasked = app.errors !== 'shown';
    complain(`uncaught${isMasked ? ` (error id ${errorId})` : ''}: ${reasonOf(thrown)}`);
    fail(refuse('INTERNAL_ERROR', isMasked ? `Something went wrong (error id ${errorId})` : messageOf(thrown)));
  });
  // Nothing is left to wait for, and the call has not ended.
  process.on('beforeExit', () => fail(refuse('INTERNAL_ERROR', 'The function never returned')));
  process.on('exit', () => fail(refuse('INTERNAL_ERROR', 'The function ended the process before it returned')));
}

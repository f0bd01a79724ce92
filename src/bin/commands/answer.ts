import { factsOfFailed } from '../../core/failure.ts';
import type { Answer } from '../../app/respond.ts';
import { textFor } from '../../responses/text.ts';
import { claimStdoutSync } from '../../stdout/claim.ts';
import { isTerminal } from '../../stdout/terminal.ts';
import { complain } from '../../stdout/stderr.ts';

export interface AnswerOptions {
  /** The exact body, even on a terminal. */
  readonly exact: boolean;
  /** Said after an error, on stderr only. */
  readonly hint?: string | undefined;
}

/**
 * Ends the command with an answer: the exact body where a program reads, something pleasant
 * where a person does, and the exit code of the table. Exits once stdout has been written,
 * since the app may hold timers and connections open.
 */
export function answer({ outcome, body, fn }: Answer, options: AnswerOptions): void {
  const { write } = claimStdoutSync();
  const exit = () => process.exit(outcome.ok ? 0 : factsOfFailed(outcome, fn?.definition.errors).exit);
  if (!outcome.ok) complain(`${outcome.error.message} (${outcome.error.code})${options.hint ?? ''}`);
  if (options.exact || !isTerminal) write(isTerminal ? `${body}\n` : body, exit);
  // Here the text is all there is, and whoever asked for much gets it.
  else if (outcome.ok) write(`${textFor(outcome.data, fn, Infinity)}\n`, exit);
  else exit();
}

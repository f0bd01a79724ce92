import type { Answer } from '../../app/respond.ts';
import { wireFactsOf } from '../../core/failure.ts';
import { textFor } from '../../responses/text.ts';
import type { Format } from './formats.ts';

export interface CliReplyOptions {
  /** Print the body itself, even on a terminal. */
  readonly isExact: boolean;
  /** Prints the data in a format of choice; nothing is printed for a failure. */
  readonly format?: Format | undefined;
  /** Whether a person reads stdout. */
  readonly isTerminal: boolean;
  /** Added to the error message, on stderr only. */
  readonly hint?: string | undefined;
}

export interface CliReply {
  /** Undefined if nothing is printed. */
  readonly stdout: string | undefined;
  /** What went wrong, for people. */
  readonly error: string | undefined;
  readonly exitCode: number;
}

/** An answer as a command prints it: the exact body for programs, readable text on a terminal, and an exit code. */
export function encodeCli(
  { outcome, body, fn }: Answer,
  { isExact, isTerminal, format, hint = '' }: CliReplyOptions,
): CliReply {
  const exact = isTerminal ? `${body}\n` : body;
  if (!outcome.ok) {
    const { message, code } = outcome.error;
    return {
      stdout: isExact || (!isTerminal && !format) ? exact : undefined,
      error: `${message} (${code})${hint}`,
      exitCode: wireFactsOf(outcome, fn?.definition.errors).exit,
    };
  }
  if (format && !isExact) return { stdout: format(outcome.data, fn), error: undefined, exitCode: 0 };
  // On a terminal the text is all there is, so it is not cut.
  const stdout = isExact || !isTerminal ? exact : `${textFor(outcome.data, fn, Infinity)}\n`;
  return { stdout, error: undefined, exitCode: 0 };
}

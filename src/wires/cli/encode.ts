import type { Answer } from '../../app/respond.ts';
import { isFileHandle } from '../../core/file-handle.ts';
import type { FileHandle } from '../../core/file-handle.ts';
import { isByFramework, wireFactsOf } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import { textFor } from '../../responses/text.ts';
import { lastEvent, toNdjson } from '../stream-events.ts';
import type { Format } from './formats.ts';

export interface CliReplyOptions {
  /** Print the body itself, even on a terminal. */
  readonly isExact: boolean;
  /** Prints the data in a format of choice; nothing is printed for a failure. */
  readonly format?: Format | undefined;
  /** Whether a person reads stdout. */
  readonly isTerminal: boolean;
  /** Print the answer as the last event of a stream. */
  readonly isStream?: boolean | undefined;
  /** Whether the result is on the terminal already. */
  readonly isShown?: boolean | undefined;
  /** The result was written to a file: a success prints nothing. */
  readonly isSaved?: boolean | undefined;
  /** Instead of the error message, on stderr only. */
  readonly reason?: string | undefined;
  /** Added to the error message, on stderr only. */
  readonly hint?: string | undefined;
  /** Where the credential of the call is from, such as `EVERYWIRE_TOKEN`. */
  readonly credentialFrom?: string | undefined;
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
  answer: Answer,
  {
    isExact,
    isTerminal,
    isStream = false,
    isShown = false,
    isSaved = false,
    format,
    reason,
    hint = '',
    ...rest
  }: CliReplyOptions,
): CliReply {
  const { outcome, body, fn } = answer;
  const exact = isStream ? lastEvent(answer, toNdjson) : isTerminal ? `${body}\n` : body;
  if (!outcome.ok) {
    const { message, code } = outcome.error;
    return {
      stdout: isExact || isStream || (!isTerminal && !format) ? exact : undefined,
      error: `${reason ?? message} (${code})${hint}${wayOut(outcome, rest.credentialFrom)}`,
      exitCode: wireFactsOf(outcome, fn?.definition.errors).exit,
    };
  }
  if (isSaved) return { stdout: undefined, error: undefined, exitCode: 0 };
  if (isFileHandle(outcome.data)) return { stdout: noteAbout(outcome.data), error: undefined, exitCode: 0 };
  const data = outcome.task ?? outcome.data;
  const described = outcome.task ? undefined : fn;
  if (format && !isExact && !isStream) return { stdout: format(data, described), error: undefined, exitCode: 0 };
  // On a terminal the text is all there is, so it is not cut.
  const stdout = isExact || isStream || !isTerminal ? exact : `${textFor(data, described, Infinity)}\n`;
  return { stdout: isShown ? undefined : stdout, error: undefined, exitCode: 0 };
}

/** How to present a credential, unless one was presented. */
function wayOut(outcome: Failed, from: string | undefined): string {
  const { code } = outcome.error;
  if ((code !== 'UNAUTHENTICATED' && code !== 'FORBIDDEN') || !isByFramework(outcome)) return '';
  if (from === undefined)
    return '\nA token or API key is read from EVERYWIRE_TOKEN, or from a file with --token-file <file>';
  return code === 'UNAUTHENTICATED' ? `\nThe token or API key in ${from} was refused` : '';
}

/** Bytes would break a terminal. */
function noteAbout({ name, type, size }: FileHandle): string {
  const facts = [type, size !== undefined && (size === 1 ? '1 byte' : `${size} bytes`)].filter(Boolean).join(', ');
  return `${JSON.stringify(name || 'A file')}${facts && ` (${facts})`} is not shown; save it with --out <file>\n`;
}

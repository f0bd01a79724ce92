import type { App } from '../app.ts';
import { factsOf } from '../core/codes.ts';
import type { Outcome } from '../core/outcome.ts';
import type { RegisteredFunction } from '../core/registry.ts';
import { readable } from '../wires/cli/readable.ts';
import { claimStdout, isTerminal } from './stdout.ts';
import { complain } from './terminal.ts';

export interface AnswerOptions {
  /** The exact body, even on a terminal. */
  readonly json: boolean;
  /** Said after an error, on stderr only. */
  readonly hint?: string | undefined;
}

/**
 * Ends the command with an outcome: the exact body where a program reads, something pleasant
 * where a person does, and the exit code of the table. Exits once stdout has been written,
 * since the app may hold timers and connections open.
 */
export function answer(app: App, outcome: Outcome, fn: RegisteredFunction | undefined, options: AnswerOptions): void {
  const write = claimStdout();
  const exit = () => process.exit(outcome.ok ? 0 : factsOf(outcome.error.code, fn?.definition.errors).exit);
  if (!outcome.ok) complain(`${outcome.error.message} (${outcome.error.code})${options.hint ?? ''}`);
  if (options.json || !isTerminal) {
    const body = JSON.stringify(app.profile.render(outcome, fn?.returned));
    write(isTerminal ? `${body}\n` : body, exit);
  } else if (outcome.ok) write(`${readable(outcome, fn?.returned)}\n`, exit);
  else exit();
}

import type { App } from '../../app/app.ts';
import { render } from '../../app/respond.ts';
import type { Answer } from '../../app/respond.ts';
import { messageOf, refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import { encodeCli } from '../../wires/cli/encode.ts';
import type { CliReplyOptions } from '../../wires/cli/encode.ts';
import { stopAndEnd } from '../end-process.ts';
import type { Process } from '../process.ts';
import { describeThrown, surviveUncaught } from '../uncaught.ts';

/** The call of a command, which is answered once, whatever the function does. */
export class CommandCall {
  readonly #controller = new AbortController();
  #isAnswered = false;

  constructor(
    readonly proc: Process,
    readonly app: App,
  ) {}

  /**
   * Prints an answer, and when it is written stops the app and ends the command. Only the first answer counts. Returns its exit
   * code.
   */
  answer(answered: Answer, options: Omit<CliReplyOptions, 'isTerminal' | 'credentialFrom'>): number | undefined {
    if (this.#isAnswered) return undefined;
    this.#isAnswered = true;
    const { proc, app } = this;
    const { write } = proc.claimStdoutSync();
    const { stdout, error, exitCode } = encodeCli(answered, {
      ...options,
      isTerminal: proc.isTerminal(1),
      credentialFrom: proc.state.credentialFrom,
    });
    const end = () => {
      this.#controller.abort(); // the function may still run
      void stopAndEnd(proc, app, exitCode);
    };
    if (error !== undefined) proc.printError(error);
    if (stdout === undefined) end();
    else write(stdout, end);
    return exitCode;
  }

  /** Cancels the call on Ctrl+C, and on SIGTERM if the app has something to stop. */
  cancelledBySignals(): AbortSignal {
    const { proc, app } = this;
    const cancel = () => this.#controller.abort();
    proc.on('SIGINT', cancel); // not once: a second Ctrl+C must not end the process before the response
    // Otherwise the signal ends the process, also that of a function which never yields.
    if (app.needsStop) {
      proc.on('SIGTERM', cancel);
      proc.onWriteError((code) => void stopAndEnd(proc, app, code));
    }
    return this.#controller.signal;
  }

  /**
   * Ensures that the call is answered whatever the function does: it may throw where nobody can catch it, wait forever, or end
   * the process. CGI responds with the same failures.
   */
  alwaysAnswer(
    fn: RegisteredFunction | undefined,
    profile: Profile,
    options: Pick<CliReplyOptions, 'isExact' | 'isStream' | 'format'>,
  ): void {
    const { proc, app } = this;
    const fail = (failed: Failed) => this.answer(render(failed, fn, profile), options);
    surviveUncaught(proc, (thrown) => {
      const errorId = crypto.randomUUID();
      const isMasked = app.errors !== 'shown';
      proc.printError(`uncaught${isMasked ? ` (error id ${errorId})` : ''}: ${describeThrown(thrown)}`);
      fail(refuse('INTERNAL_ERROR', isMasked ? `Something went wrong (error id ${errorId})` : messageOf(thrown)));
    });
    proc.on('idle', () => void fail(refuse('INTERNAL_ERROR', 'The function never returned')));
    proc.on('exit', () => fail(refuse('INTERNAL_ERROR', 'The function ended the process before it returned')));
  }
}

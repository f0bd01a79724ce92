import type { Call } from './call.ts';
import type { CallState } from './call-state.ts';
import { refuse } from './failure.ts';
import type { Outcome } from './outcome.ts';
import type { Report } from './report.ts';
import { safely } from './safely.ts';
import { PausableTimer } from './pausable-timer.ts';

/** Resolves with whichever comes first: the outcome, a timeout, or the client's disconnect. Then calls `done`, once. */
export function limitTime(
  outcome: Promise<Outcome>,
  state: CallState,
  timeout: number,
  report: Report,
  done: () => void,
): Promise<Outcome> {
  const { signal, onDisconnect }: Call = state.parts.call;
  return new Promise((resolve) => {
    let hasEnded = false;
    const end = (ended: Outcome, reason?: string) => {
      if (hasEnded) return;
      hasEnded = true;
      timer.pause();
      state.onWait(undefined);
      signal?.removeEventListener('abort', abort);
      if (reason) state.end(ended, reason);
      state.stop();
      done();
      resolve(ended);
    };
    // A wire that ends a call itself passes the outcome.
    const disconnect = (ended: Outcome = cancelled()) => end(ended, 'The client disconnected');
    const abort = () => disconnect();
    const timeOut = () => end(refuse('TIMEOUT', `Timed out after ${timeout} ms`), 'The call timed out');
    const timer = new PausableTimer(timeout, timeOut);
    // The call may be waiting for input already.
    state.onWait((isWaiting) => (isWaiting ? timer.pause() : timer.start()));
    outcome.then(end, (thrown: unknown) => end(report.thrown(thrown, state)));
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    safely(() => onDisconnect?.(disconnect)); // if a wire throws here, the call must still be answered
  });
}

export const cancelled = (): Outcome => refuse('CANCELLED', 'Cancelled by the caller');

/** setTimeout takes 31 bits; a longer delay would fire immediately. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** The shorter of the function's own time limit and the caller's, in milliseconds. */
export function shorterTimeout(own: number, callers: number): number {
  const shorter = callers >= 0 && callers < own ? callers : own;
  return shorter === Infinity ? shorter : Math.min(shorter, MAX_TIMEOUT);
}

import type { Call } from './call.ts';
import type { CallState } from './call-state.ts';
import { refuse } from './failure.ts';
import type { Outcome } from './outcome.ts';
import type { Report } from './report.ts';
import { safely } from './safely.ts';
import { PausableTimer } from './pausable-timer.ts';

/**
 * Resolves with whichever comes first: the outcome, a timeout, or the client's disconnect. Calls `leave` once, when the function
 * has ended or its time is over: a client that disconnects must not make room for another run while its own goes on.
 */
export function limitTime(
  outcome: Promise<Outcome>,
  state: CallState,
  timeout: number,
  report: Report,
  leave: () => void,
  /** Whether the function may have started. */
  isInside: () => boolean = always,
): Promise<Outcome> {
  const { signal, onDisconnect }: Call = state.parts.call;
  return new Promise((resolve) => {
    let hasEnded = false;
    let hasLeft = false;
    let isWaiting = false;
    const end = (ended: Outcome, reason?: string) => {
      if (hasEnded) return;
      hasEnded = true;
      state.onWait(undefined);
      signal?.removeEventListener('abort', abort);
      if (reason) state.end(ended, reason);
      state.stop();
      resolve(ended);
    };
    const finish = (ended: Outcome, reason?: string) => {
      end(ended, reason);
      if (hasLeft) return;
      hasLeft = true;
      timer.pause();
      leave();
    };
    // A wire that ends a call itself passes the outcome, which says why.
    const disconnect = (given?: Outcome) => {
      const ended = given ?? cancelled();
      const reason = given && !given.ok ? given.error.message : 'The client disconnected';
      // A function that waits for input does nothing, and may never go on.
      if (isWaiting || !isInside()) return finish(ended, reason);
      end(ended, reason);
      timer.unref();
    };
    const abort = () => disconnect();
    const timeOut = () => finish(refuse('TIMEOUT', `Timed out after ${timeout} ms`), 'The call timed out');
    const timer = new PausableTimer(timeout, timeOut);
    // The call may be waiting for input already.
    state.onWait((waits) => {
      isWaiting = waits;
      if (waits) timer.pause();
      else timer.start();
    });
    outcome.then(finish, (thrown: unknown) => finish(report.thrown(thrown, state)));
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    safely(() => onDisconnect?.(disconnect)); // if a wire throws here, the call must still be answered
  });
}

const always = () => true;

export const cancelled = (): Outcome => refuse('CANCELLED', 'Cancelled by the caller');

/** setTimeout takes 31 bits; a longer delay would fire immediately. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** The shorter of the function's own time limit and the caller's, in milliseconds. */
export function shorterTimeout(own: number, callers: number): number {
  const shorter = callers >= 0 && callers < own ? callers : own;
  return shorter === Infinity ? shorter : Math.min(shorter, MAX_TIMEOUT);
}

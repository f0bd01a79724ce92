import { messageOf } from '../core/failure.ts';
import { complain } from './terminal.ts';

/**
 * What is thrown or rejected outside of every call: a promise nobody awaited, a timer, a listener. It is a mistake in
 * one function and no reason to drop everybody's calls, as Node would by ending the process.
 */
export function surviveStrays(onThrown: (thrown: unknown) => void): void {
  // Whoever read it may be gone; to complain of that would fail again, and again.
  process.stderr.on('error', () => {});
  process.on('unhandledRejection', (reason) => complain(`unhandled rejection: ${messageOf(reason)}`));
  process.on('uncaughtException', onThrown);
}

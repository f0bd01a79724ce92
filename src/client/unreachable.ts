import { isFailure, messageOf, refuse, userFailure } from '../core/failure.ts';
import { safely } from '../core/safely.ts';
import type { Failed } from '../core/outcome.ts';

/** The failure for an unreachable server. The message of fetch is only "fetch failed"; the reason is in its cause. */
export function unreachable(thrown: unknown, what = 'The server cannot be reached'): Failed {
  if (isFailure(thrown)) return userFailure(thrown);
  const cause = safely(() => (thrown as { cause?: unknown }).cause);
  const reason = safely(() => (cause as { code?: unknown }).code);
  const message = messageOf(thrown) + (typeof reason === 'string' ? ` (${reason})` : '');
  return refuse('UNAVAILABLE', `${what}: ${message}`);
}

import { refuse } from '../core/failure.ts';
import type { Outcome } from '../core/outcome.ts';
import type { ClientCallOptions } from './connection.ts';

/**
 * Some work, or its failure when the caller leaves or the time is up first: whatever hangs, be it the call, the document
 * or the connection. The work gets a signal, to stop what it can.
 */
export async function withinTime(
  { signal, timeout }: ClientCallOptions,
  work: (signal: AbortSignal | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  const late = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  const signals = [signal, late].filter((one) => one !== undefined);
  if (signals.length === 0) return work(undefined);
  const either = AbortSignal.any(signals);
  return new Promise((resolve, reject) => {
    const leave = () =>
      resolve(
        signal?.aborted
          ? refuse('CANCELLED', 'Cancelled by the caller')
          : refuse('TIMEOUT', `No answer within ${timeout} ms`),
      );
    if (either.aborted) return leave();
    either.addEventListener('abort', leave, { once: true });
    work(either)
      .then(resolve, reject)
      .finally(() => either.removeEventListener('abort', leave));
  });
}

import { refuse } from '../core/failure.ts';
import type { Outcome } from '../core/outcome.ts';
import type { ClientCallOptions } from './connection.ts';

/**
 * Runs `work`, or returns a failure if the signal is aborted or the time is up first. This covers everything that may
 * hang: the call, the document, the connection. `work` gets a signal to stop early; a file that is still being received
 * stops with it, too.
 */
export async function withTimeout(
  { signal, timeout }: ClientCallOptions,
  work: (signal: AbortSignal | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  const timeLimit = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  const signals = [signal, timeLimit].filter((one) => one !== undefined);
  if (signals.length === 0) return work(undefined);
  const either = anySignal(signals);
  return new Promise((resolve, reject) => {
    const end = () =>
      resolve(
        signal?.aborted
          ? refuse('CANCELLED', 'Cancelled by the caller')
          : refuse('TIMEOUT', `No response within ${timeout} ms`),
      );
    if (either.aborted) return end();
    either.addEventListener('abort', end, { once: true });
    work(either)
      .then(resolve, reject)
      .finally(() => either.removeEventListener('abort', end));
  });
}

/** Aborted when one of them is. */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const either = AbortSignal.any([...signals]);
  sources.set(either, signals);
  return either;
}

/** Node.js 20 collects the signals that another one depends on, and a file may be received long after the call. */
const sources = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/** Milliseconds for a connection to a store, and for its answer. Callers wait meanwhile. */
export const STORE_TIMEOUT_MS = 2000;

export class LateError extends Error {
  override readonly name = 'LateError';
}

/** Rejects if it takes too long. What is late may still happen. */
export async function within<T>(work: Promise<T>, who: string, milliseconds: number = STORE_TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const expire = () => reject(new LateError(`${who} did not answer within ${milliseconds} ms`));
    // After the event loop was blocked, timers run first: an answer that has arrived is read in the same turn.
    timer = setTimeout(() => setImmediate(expire), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether it succeeds in time: well below two seconds. */
export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  within(work, '', 1800).then(
    () => true,
    () => false,
  );

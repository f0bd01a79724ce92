/**
 * Runs third-party code. Returns undefined if it throws. `onFailure` gets the error, also that of a rejected promise:
 * otherwise an asynchronous logger that fails would end the process.
 */
export function safely<T>(work: () => T, onFailure: (thrown: unknown) => void = ignore): T | undefined {
  try {
    return handleRejection(work(), onFailure);
  } catch (thrown) {
    onFailure(thrown);
    return undefined;
  }
}

/** Handles the rejection of a value that may be a promise and is never awaited. Returns the value. */
export function handleRejection<T>(value: T, onFailure: (thrown: unknown) => void = ignore): T {
  if (isThenable(value)) value.then(undefined, onFailure);
  return value;
}

const ignore = () => {};

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** Whether a value is an async generator, or anything else that `for await` takes. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return typeof (value as never)[Symbol.asyncIterator] === 'function';
  } catch {
    return false; // a Proxy may throw on any access; the check of the result says so
  }
}

/**
 * Runs code of others, which may throw: undefined if it does. `onFailure` is told, also of what it promises and does not
 * keep; else an asynchronous logger that fails would end the process.
 */
export function quietly<T>(work: () => T, onFailure: (thrown: unknown) => void = ignore): T | undefined {
  try {
    const given = work();
    if (isThenable(given)) given.then(undefined, onFailure);
    return given;
  } catch (thrown) {
    onFailure(thrown);
    return undefined;
  }
}

/** Where nobody would want to know: what failed is only shown, or says that something else failed. */
const ignore = () => {};

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

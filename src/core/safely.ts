/**
 * Runs code of others, which may throw: undefined if it does. `onFailure` is told, also of what it promises and does not
 * keep; else an asynchronous logger that fails would end the process.
 */
export function quietly<T>(work: () => T, onFailure: (thrown: unknown) => void = ignore): T | undefined {
  try {
    return disowned(work(), onFailure);
  } catch (thrown) {
    onFailure(thrown);
    return undefined;
  }
}

/** Something that nobody will await: if it is a promise after all, its rejection must not count as unhandled. */
export function disowned<T>(value: T, onFailure: (thrown: unknown) => void = ignore): T {
  if (isThenable(value)) value.then(undefined, onFailure);
  return value;
}

/** Where nobody would want to know: what failed is only shown, or says that something else failed. */
const ignore = () => {};

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

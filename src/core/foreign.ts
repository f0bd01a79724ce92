/** What some code of others gives, or undefined when it throws. What it promises may be broken without a word, too. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    const given = work();
    // Else a logger that is asynchronous and fails would end the process.
    if (isThenable(given)) given.then(undefined, () => {});
    return given;
  } catch {
    return undefined;
  }
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** Sends of each chunk what is described. Generators that are not asynchronous become so: only those stream. */
export async function* projectStream(
  returned: unknown,
  releaseChunk: (value: unknown) => unknown,
  release: (value: unknown) => unknown,
): AsyncGenerator<unknown, unknown, undefined> {
  const chunks = (await returned) as AsyncIterable<unknown> | Iterable<unknown>;
  const iterator = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  let hasEnded = false;
  try {
    for (;;) {
      const next = await iterator.next();
      if (next.done) {
        hasEnded = true;
        return next.value === undefined ? undefined : release(next.value);
      }
      yield releaseChunk(next.value);
    }
  } finally {
    // The call is over before the generator is: its `finally` must run.
    if (!hasEnded) await iterator.return?.();
  }
}

/**
 * The chunks of a running call. Leaving the loop cancels the call. The loop never throws because of a failed call: how the
 * call ended is in `outcome`.
 */
export interface ChunkStream<Chunk, Outcome> extends AsyncIterable<Chunk> {
  /** Resolves when the call has ended. Chunks wait until they are read, so read them first. */
  readonly outcome: Promise<Outcome>;
}

/** Passes a chunk to the reader. The promise, if there is one, resolves when the reader takes it. */
export type Push<Chunk> = (chunk: Chunk) => void | Promise<void>;

interface Waiting<Chunk> {
  readonly chunk: Chunk;
  readonly taken: () => void;
}

/** Starts a call whose chunks are read with `for await`. `left` is aborted when the reader leaves the loop. */
export function createChunkStream<Chunk, Outcome>(
  start: (push: Push<Chunk>, left: AbortSignal) => Promise<Outcome>,
): ChunkStream<Chunk, Outcome> {
  const left = new AbortController();
  /** In order; a Set removes its first entry in constant time. At most one of the two is not empty. */
  const chunks = new Set<Waiting<Chunk>>();
  const readers = new Set<(result: IteratorResult<Chunk, undefined>) => void>();
  let hasEnded = false;

  const iterator: AsyncIterator<Chunk, undefined> = {
    async next() {
      for (const waiting of chunks) {
        chunks.delete(waiting);
        waiting.taken();
        return { done: false, value: waiting.chunk };
      }
      if (!hasEnded) return new Promise((resolve) => readers.add(resolve));
      await outcome; // rejects if the call could not be started
      return DONE;
    },
    async return() {
      left.abort();
      for (const { taken } of chunks) taken();
      chunks.clear();
      end();
      return DONE;
    },
  };
  const outcome = start(push, left.signal);
  outcome.then(end, end);
  return { outcome, [Symbol.asyncIterator]: () => iterator };

  function push(chunk: Chunk): void | Promise<void> {
    if (hasEnded) return undefined;
    for (const reader of readers) {
      readers.delete(reader);
      return reader({ done: false, value: chunk });
    }
    return new Promise((taken) => chunks.add({ chunk, taken }));
  }

  function end(): void {
    hasEnded = true;
    for (const reader of readers) reader(DONE);
    readers.clear();
  }
}

const DONE = { done: true, value: undefined } as const;

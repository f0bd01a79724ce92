/** Characters of chunks that stay on the page. */
const MOST_CHARACTERS = 100_000;
/** Chunks that stay on the page. */
const MOST_CHUNKS = 200;

/** What a call has yielded last. */
export interface Chunks {
  readonly lines: readonly string[];
  /** How many were before these. */
  readonly skipped: number;
}

export const NO_CHUNKS: Chunks = { lines: [], skipped: 0 };

/** Adds a chunk, and forgets those for which there is no room: a call may yield for hours. */
export function addChunk({ lines, skipped }: Chunks, chunk: unknown): Chunks {
  const text = typeof chunk === 'string' ? chunk : JSON.stringify(chunk);
  const line = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  const kept = [...lines, line].slice(-MOST_CHUNKS);
  let size = kept.reduce((sum, { length }) => sum + length, 0);
  while (kept.length > 1 && size > MOST_CHARACTERS) size -= kept.shift()!.length;
  return { lines: kept, skipped: skipped + lines.length + 1 - kept.length };
}

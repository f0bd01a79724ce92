/** Fetches once, and again only after a failure. */
export function memoizeAsync<T>(fetch: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= fetch().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

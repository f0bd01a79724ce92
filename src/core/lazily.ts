/** Loads with the first call, once. After a failure, the next call tries again: there may be files to open again, for example. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    if (loading) return loading;
    const started = (loading = load());
    started.catch(() => (loading = undefined));
    return started;
  };
}

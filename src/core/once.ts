/** Computes a value on first use: a process that answers one call should not compute what it does not need. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

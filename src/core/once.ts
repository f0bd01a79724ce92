/** Makes a thing when it is first asked for: a process that answers one call should not wait for what it does not need. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

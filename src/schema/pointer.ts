/** Appends a key to a JSON pointer (RFC 6901). */
export function pointerTo(base: string, key: PropertyKey): string {
  return `${base}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The keys of a JSON pointer or of a local reference such as `#/$defs/Place`. */
export function keysOf(pointer: string): string[] {
  const path = pointer.startsWith('#') ? decoded(pointer.slice(1)) : pointer;
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment; // invalid percent-encoding: reported as a reference to nothing
  }
}

/** The value at a JSON pointer, or undefined. */
export function lookUp(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of keysOf(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** One more step on a JSON pointer (RFC 6901). */
export function pointerTo(base: string, key: PropertyKey): string {
  return `${base}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The pointer that walks through these keys. */
export function pointerOf(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>(pointerTo, '');
}

/** The keys a pointer, or a local reference such as `#/$defs/Place`, walks through. */
export function keysOf(pointer: string): string[] {
  const path = pointer.startsWith('#') ? decodeURIComponent(pointer.slice(1)) : pointer;
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value a pointer leads to, or undefined. */
export function lookUp(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of keysOf(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

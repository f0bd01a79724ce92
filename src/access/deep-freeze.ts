/** Freezes JSON data. Principals are kept for later calls: what one call changes, the next one must not believe. */
export function deepFreeze<T>(data: T): T {
  const open: unknown[] = [data];
  // Not recursive: a token may be nested deeper than the stack.
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) continue;
    Object.freeze(value);
    for (const inner of Object.values(value)) if (inner !== undefined) open.push(inner);
  }
  return data;
}

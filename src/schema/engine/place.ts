import { truncate } from '../truncate.ts';
import { pointerTo } from '../pointer.ts';

/** A position in a value, as a linked list of keys, innermost first. Created only while explaining problems. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: PropertyKey;
}

export const below = (parent: Place | undefined, key: PropertyKey): Place => ({ parent, key });

export function depthOf(place: Place | undefined): number {
  let depth = 0;
  for (let at = place; at; at = at.parent) depth++;
  return depth;
}

// Callers choose the keys, and each problem repeats them: a key of a megabyte must not be repeated a hundred times.
const LONGEST_KEY = 60;
const LONGEST_POINTER = 256;

/** The JSON pointer to a place, shortened if it is very long. */
export function pointerAt(place: Place | undefined): string {
  const keys: PropertyKey[] = [];
  for (let at = place; at; at = at.parent) keys.push(at.key);
  return shortPointer(keys.toReversed());
}

/** The JSON pointer of these keys, shortened if it is very long. */
export function shortPointer(keys: readonly PropertyKey[]): string {
  let pointer = '';
  for (const key of keys) {
    pointer = pointerTo(pointer, truncate(String(key), LONGEST_KEY));
    if (pointer.length > LONGEST_POINTER) return truncate(pointer, LONGEST_POINTER);
  }
  return pointer;
}

import { cut } from '../cut.ts';
import { pointerTo } from '../pointer.ts';

/** Where in a value the engine is: the keys on the way, innermost first. Made only while problems are looked for. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: PropertyKey;
}

export const below = (parent: Place | undefined, key: PropertyKey): Place => ({ parent, key });

// A caller chooses the keys, and a list of problems repeats them: a key of a megabyte is not repeated a hundred times.
const LONGEST_KEY = 60;
const LONGEST_POINTER = 256;

/** The JSON pointer to a place, cut where it is longer than anyone would look up. */
export function pointerAt(place: Place | undefined): string {
  const keys: PropertyKey[] = [];
  for (let at = place; at; at = at.parent) keys.push(at.key);
  return shortPointer(keys.toReversed());
}

/** The JSON pointer that walks through these keys, cut likewise. */
export function shortPointer(keys: readonly PropertyKey[]): string {
  let pointer = '';
  for (const key of keys) {
    pointer = pointerTo(pointer, cut(String(key), LONGEST_KEY));
    if (pointer.length > LONGEST_POINTER) return cut(pointer, LONGEST_POINTER);
  }
  return pointer;
}

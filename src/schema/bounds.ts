import { truncate } from './truncate.ts';
import { shortPointer } from './engine/place.ts';
import { InexactNumber } from './parse-json.ts';
import type { Problem } from './problem.ts';

/** Maximum nesting of data that does not pass through an app; an app has a limit of its own. */
export const MAX_DEPTH = 64;

/** Bounds for a message that contains a value: larger, because the value's own bounds are checked later. */
export function messageBounds({ depth, keys, items }: Bounds): Bounds {
  return { depth: depth + 16, keys: 2 * keys + 100, items: 2 * items + 100 };
}

/** Limits on the size of a JSON value, checked before anything else. */
export interface Bounds {
  /** Levels of nesting. */
  readonly depth: number;
  /** Keys in all objects together. */
  readonly keys: number;
  /** Items in all arrays together. */
  readonly items: number;
}

interface BoundsOfValue extends Bounds {
  /** For a value that is not read: numbers that JavaScript would round do not matter. */
  readonly isUnread?: boolean;
  /** Messages must not show numbers of a value, since some may be secret. */
  readonly hasSecrets?: boolean;
}

/**
 * Returns the first problem if a parsed JSON value is too large, or is not valid Unicode. Never recurses deeper than
 * the allowed depth: JSON.stringify and most validators overflow the stack on a few kilobytes of brackets.
 */
export function findExcess(value: unknown, bounds: BoundsOfValue): Problem | undefined {
  const excess = walk(value, 0, bounds, { keys: 0, items: 0 });
  return excess && { pointer: shortPointer(excess.path.toReversed()), message: excess.message };
}

/** JSON in a string may be nested deeper than the stack allows; it is repaired and checked only up to this depth. */
const DEEPEST_IN_TEXT = 500;

/** Whether a value, found at some depth, is too deep for functions that recurse without a bound. */
export function isTooDeep(value: unknown, at = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return at >= DEEPEST_IN_TEXT || Object.values(value).some((inner) => isTooDeep(inner, at + 1));
}

interface Seen {
  keys: number;
  items: number;
}

/** The path is built while returning, so that valid values do not pay for it. */
interface Excess {
  readonly path: PropertyKey[];
  readonly message: string;
}

function walk(value: unknown, depth: number, bounds: BoundsOfValue, seen: Seen): Excess | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : here(`string with ${LONE_SURROGATE}`);
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof InexactNumber)
    return bounds.isUnread
      ? undefined
      : here(
          `${bounds.hasSecrets ? 'the number' : truncate(value.text, 40)} is not exact as a JSON number; send it as a string`,
        );
  if (depth >= bounds.depth) return here(`nested deeper than ${bounds.depth} levels`);
  if (Array.isArray(value)) {
    seen.items += value.length;
    if (seen.items > bounds.items) return here(`more than ${bounds.items} items`);
    for (let i = 0; i < value.length; i++) {
      const excess = walk(value[i], depth + 1, bounds, seen);
      if (excess) return below(i, excess);
    }
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (++seen.keys > bounds.keys) return here(`more than ${bounds.keys} keys`);
    if (!key.isWellFormed()) return here(`a key with ${LONE_SURROGATE}`);
    const excess = walk((value as Record<string, unknown>)[key], depth + 1, bounds, seen);
    if (excess) return below(key, excess);
  }
  return undefined;
}

// JSON can escape half of a surrogate pair, but UTF-8 cannot encode it: writing it would replace it.
export const LONE_SURROGATE = 'a lone surrogate, which is not valid Unicode';

const here = (message: string): Excess => ({ path: [], message });

function below(key: PropertyKey, excess: Excess): Excess {
  excess.path.push(key);
  return excess;
}

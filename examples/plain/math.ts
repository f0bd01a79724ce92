import type { int } from 'everywire';

/**
 * Adds two integers together
 * @param x First integer to add
 * @param y Second integer to add
 * @returns Sum of x and y
 */
export function Add(x: int, y: int): int {
  return x + y;
}

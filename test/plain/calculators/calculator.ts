import type { int } from 'everywire';
import { add, divMod, divide, statistics } from './arithmetic.ts';

/**
 * Adds two integers together
 * @param x First integer to add
 * @param y Second integer to add
 * @returns Sum of x and y
 * @throws {OVERFLOW} The result was too large.
 * @readonly
 * @idempotent
 */
export function Add(x: int, y: int): int {
  return add(x, y);
}

/**
 * Divides one number by another
 * @param dividend The number to divide
 * @param divisor The number to divide by; not zero
 * @returns The quotient
 * @throws {DIVISION_BY_ZERO} The divisor was zero.
 * @throws {OVERFLOW} The result was too large.
 * @readonly
 * @idempotent
 */
export function Divide(dividend: number, divisor: number): number {
  return divide(dividend, divisor);
}

/** Quotient */
type Quotient = int;
/** Remainder */
type Remainder = int;

/**
 * Divides integers, giving the quotient and what remains
 * @param x The integer to divide
 * @param y The integer to divide by; not zero
 * @throws {DIVISION_BY_ZERO} The divisor was zero.
 * @readonly
 * @idempotent
 */
export function DivMod(x: int, y: int): [Quotient, Remainder] {
  return divMod(x, y);
}

/**
 * Clears the memory
 * @destructive
 * @idempotent
 */
export async function Reset(): Promise<void> {}

interface Series {
  /**
   * The numbers
   * @minItems 1
   */
  values: number[];
  /**
   * What to compute
   * @default 'mean'
   */
  measure?: 'mean' | 'sum' | 'largest';
  /** How to round the result */
  round?: {
    /**
     * Digits after the point
     * @minimum 0
     * @maximum 15
     */
    digits: int;
    /**
     * Which way to round
     * @default 'nearest'
     */
    mode?: 'nearest' | 'down';
  };
}

/** The summary */
interface Summary {
  /** What was computed */
  measure: string;
  /** The result */
  value: number;
  /** How many numbers there were */
  count: int;
}

/**
 * Summarises a series of numbers
 * @throws {OVERFLOW} The result was too large.
 * @readonly
 */
export function Statistics(input: Series): Summary {
  return statistics(input as Parameters<typeof statistics>[0]);
}

import { Failure } from 'everywire';

// What all calculators compute. They differ in how they describe it.

/** Fails instead of returning what the schema forbids: a library explains that in words of its own. */
export function add(x: number, y: number): number {
  const sum = x + y;
  if (!Number.isSafeInteger(sum)) throw new Failure('OVERFLOW', 'The sum is too large');
  return sum;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Failure('OVERFLOW', 'The result is too large');
  return value;
}

export function divide(dividend: number, divisor: number): number {
  if (divisor === 0) throw new Failure('DIVISION_BY_ZERO', 'Cannot divide by zero');
  return finite(dividend / divisor);
}

export function divMod(x: number, y: number): [number, number] {
  if (y === 0) throw new Failure('DIVISION_BY_ZERO', 'Cannot divide by zero');
  return [Math.trunc(x / y), x % y];
}

export interface Series {
  readonly values: readonly number[];
  readonly measure: 'mean' | 'sum' | 'largest';
  readonly round?: { readonly digits: number; readonly mode: 'nearest' | 'down' } | undefined;
}

const measures = {
  sum: (values: readonly number[]) => values.reduce((total, value) => total + value, 0),
  mean: (values: readonly number[]) => measures.sum(values) / values.length,
  largest: (values: readonly number[]) => Math.max(...values),
};

export function statistics({ values, measure, round }: Series): { measure: string; value: number; count: number } {
  const exact: number = measures[measure](values);
  const factor = 10 ** (round?.digits ?? 0);
  const value = round ? (round.mode === 'down' ? Math.floor : Math.round)(exact * factor) / factor : exact;
  return { measure, value: finite(value), count: values.length };
}

import { vi } from 'vitest';

/** A function that throws. */
export const throwing = (thrown: unknown) => (): never => {
  throw thrown;
};

/** A log that nobody reads. */
export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A log that remembers what it was told. */
export const logOf = () => ({ debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() });

import { createApp } from 'everywire';
import { vi } from 'vitest';

/** A function that throws. */
export const throwing = (thrown: unknown) => (): never => {
  throw thrown;
};

export { silent } from './functions.ts';

/** A log that remembers what it was told. */
export const logOf = () => ({ debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() });

/** The mistakes that createApp finds. */
export function problemsOf(options: object): readonly string[] {
  try {
    createApp({ name: 'App', version: '1', functions: [], ...options } as never);
    return [];
  } catch (error) {
    return (error as { problems: readonly string[] }).problems;
  }
}

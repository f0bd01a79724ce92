import type { App } from './app.ts';

// Identifies an app, even if another copy of the package created it.
export const APP: unique symbol = Symbol.for('everywire.app') as never;

export function isApp(value: unknown): value is App {
  return typeof value === 'object' && value !== null && APP in value;
}

import type { App } from './app.ts';

// The command recognises an app by this, whichever copy of the package made it.
export const APP: unique symbol = Symbol.for('everywire.app') as never;

export function isApp(value: unknown): value is App {
  return typeof value === 'object' && value !== null && APP in value;
}

import { isThenable } from '../core/safely.ts';
import type { App } from './app.ts';

// Identifies an app, even if another copy of the package created it.
export const APP: unique symbol = Symbol.for('everywire.app') as never;

export function isApp(value: unknown): value is App {
  return typeof value === 'object' && value !== null && APP in value;
}

/** Whether a module may mean its app by this: a promise, or a function without parameters. */
export function mayBecomeApp(exported: unknown): boolean {
  return typeof exported === 'function' ? exported.length === 0 && hasNoParameters(exported) : isThenable(exported);
}

/** By its source: the `length` of a function does not count parameters with defaults. A class cannot be called. */
function hasNoParameters(value: object): boolean {
  return /^(?:async\b\s*)?(?:function\b[^(*]*)?\(\s*\)/.test(Function.prototype.toString.call(value));
}

/** The app that a module exports: itself, a promise of it, or a function that returns either. Undefined if it is none. */
export async function appFrom(exported: unknown): Promise<App | undefined> {
  const value: unknown = mayBecomeApp(exported) && typeof exported === 'function' ? await exported() : await exported;
  return isApp(value) ? value : undefined;
}

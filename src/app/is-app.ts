import { isThenable } from '../core/safely.ts';
import type { App } from './app.ts';

// Identifies an app, even if another copy of the package created it.
export const APP: unique symbol = Symbol.for('everywire.app') as never;

export function isApp(value: unknown): value is App {
  return typeof value === 'object' && value !== null && APP in value;
}

/** For JavaScript users: says what to pass instead. */
export function checkApp(value: unknown, by: string): asserts value is App {
  if (!isApp(value))
    throw new TypeError(`${by}: expected an app, as createApp returns it, got ${describeOther(value)}`);
}

/** Describes a value that was passed in place of an app. */
export function describeOther(value: unknown): string {
  if (isThenable(value)) return 'a promise: await it';
  if (typeof value === 'function') return 'a function: call it';
  if (typeof value !== 'object' || value === null) return String(value);
  const name = Object.keys(value).find((key) => isApp((value as Record<string, unknown>)[key]));
  return name === undefined ? 'another object' : `an object that has the app in "${name}": pass that`;
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

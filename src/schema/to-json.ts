import { LONE } from './bounds.ts';
import { shortPointer } from './engine/place.ts';
import type { Problem } from './problem.ts';
import { formOf } from './wire-forms.ts';

/** A value as JSON, or the part of it that JSON cannot represent. */
export type Carried = { readonly value: unknown; readonly problem?: undefined } | { readonly problem: Problem };

/**
 * Copies a value as plain JSON, or returns a problem if JSON cannot represent it: JSON.stringify would turn NaN,
 * Infinity and holes in arrays into null, a Map into {}, and would throw on a cycle or a BigInt. Applies wire forms
 * (dates, BigInt, bytes) and toJSON. Always a copy: a getter may return something else the second time.
 */
export function toJson(value: unknown, deepest: number): Carried {
  try {
    return { value: carry(value, deepest) };
  } catch (thrown) {
    // A getter or a Proxy may throw anything.
    if (!(thrown instanceof NotCarried)) return { problem: { pointer: '', message: 'cannot be read' } };
    return { problem: { pointer: shortPointer(thrown.path.toReversed()), message: thrown.message } };
  }
}

class NotCarried {
  /** The innermost key first. */
  readonly path: PropertyKey[] = [];

  constructor(readonly message: string) {}
}

function refuse(message: string): never {
  throw new NotCarried(message);
}

function carry(value: unknown, levels: number): unknown {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? value : refuse(`string with ${LONE}`);
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : refuse(`${value} cannot be represented in JSON`);
    case 'bigint':
      return formOf(value);
    case 'object':
      return value === null ? null : carryObject(value, levels);
    default:
      return refuse(`${typeof value} cannot be represented in JSON`);
  }
}

function carryObject(value: object, levels: number): unknown {
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  const text = isPlain ? undefined : formOf(value);
  if (text !== undefined) return text;
  if (!isPlain && value instanceof Date) {
    refuse(
      `${Number.isNaN(value.getTime()) ? 'an invalid date' : 'a date beyond the year 9999'} cannot be represented in JSON`,
    );
  }
  // The depth limit also catches cycles.
  if (levels === 0) refuse('nested too deeply, or circular');
  const convert = (value as { toJSON?: unknown }).toJSON;
  if (typeof convert === 'function') return carry(convert.call(value) as unknown, levels - 1);
  if (isPlain) return carryFields(value, levels);
  if (Array.isArray(value)) return carryItems(value, levels);
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return kind === 'Object' ? carryFields(value, levels) : refuse(`${kind} cannot be represented in JSON`);
}

function carryItems(items: readonly unknown[], levels: number): unknown[] {
  const copy = [...items]; // turns holes into undefined
  for (let i = 0; i < copy.length; i++) {
    const carried = carryAt(i, copy[i], levels);
    if (carried !== copy[i]) copy[i] = carried;
  }
  return copy;
}

function carryFields(fields: object, levels: number): object {
  const copy: Record<string, unknown> = { ...fields }; // reads each getter once
  for (const name of Object.keys(copy)) {
    if (!name.isWellFormed()) refuse(`a key with ${LONE}`);
    const value = copy[name];
    // JSON.stringify omits undefined fields; in an array it would write null.
    const carried = value === undefined ? undefined : carryAt(name, value, levels);
    if (carried === value) continue;
    // Plain assignment to the key `__proto__` would set the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { ...OWN, value: carried });
    else copy[name] = carried;
  }
  return copy;
}

const OWN = { writable: true, enumerable: true, configurable: true };

function carryAt(key: PropertyKey, item: unknown, levels: number): unknown {
  try {
    return carry(item, levels - 1);
  } catch (thrown) {
    if (thrown instanceof NotCarried) thrown.path.push(key);
    throw thrown;
  }
}

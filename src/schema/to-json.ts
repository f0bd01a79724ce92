import { LONE } from './bounds.ts';
import { pointerOf } from './pointer.ts';
import type { Problem } from './problem.ts';
import { formOf } from './wire-forms.ts';

/** A value as JSON carries it, or what in it JSON cannot carry. */
export type Carried = { readonly value: unknown; readonly problem?: undefined } | { readonly problem: Problem };

/**
 * Makes sure that a value arrives as it is: JSON.stringify would turn NaN, Infinity and
 * holes in arrays into null, a Map into {}, and would throw on a cycle or a BigInt.
 * Values with a declared form (dates, BigInt, bytes) and with toJSON are replaced by it;
 * what is plain JSON already is returned as it came, not copied.
 */
export function toJson(value: unknown, deepest: number): Carried {
  try {
    return { value: carry(value, deepest) };
  } catch (thrown) {
    // A getter or a Proxy may throw anything at all.
    if (!(thrown instanceof NotCarried)) return { problem: { pointer: '', message: 'cannot be read' } };
    return { problem: { pointer: pointerOf(thrown.path), message: thrown.message } };
  }
}

class NotCarried {
  readonly path: PropertyKey[] = [];

  constructor(readonly message: string) {}
}

function refuse(message: string): never {
  throw new NotCarried(message);
}

function carry(value: unknown, levels: number): unknown {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? value : refuse(`text with ${LONE}`);
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : refuse(`${value} cannot be carried by JSON`);
    case 'bigint':
      return formOf(value);
    case 'object':
      return value === null ? null : carryObject(value, levels);
    default:
      return refuse(`${typeof value} cannot be carried by JSON`);
  }
}

function carryObject(value: object, levels: number): unknown {
  const text = formOf(value);
  if (text !== undefined) return text;
  if (value instanceof Date) refuse('an invalid date cannot be carried by JSON'); // its toJSON gives null
  // A circle is nesting without end, so the depth finds it.
  if (levels === 0) refuse('nested too deep, or in a circle');
  if (Array.isArray(value)) return carryItems(value, levels);
  const convert = (value as { toJSON?: unknown }).toJSON;
  if (typeof convert === 'function') return carry(convert.call(value) as unknown, levels - 1);
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return kind === 'Object' ? carryFields(value, levels) : refuse(`${kind} cannot be carried by JSON`);
}

function carryItems(items: readonly unknown[], levels: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const carried = carryAt(i, items[i], levels);
    if (carried !== items[i]) (copy ??= [...items])[i] = carried;
  }
  return copy ?? items;
}

function carryFields(fields: object, levels: number): object {
  let copy: object | undefined;
  for (const [name, value] of Object.entries(fields)) {
    // In an object, undefined and absent are the same; only in an array would it become null.
    const carried: unknown = value === undefined ? undefined : carryAt(name, value, levels);
    if (carried === value) continue;
    copy ??= { ...fields };
    // Plain assignment to the key `__proto__` would set the prototype.
    Object.defineProperty(copy, name, { value: carried, writable: true, enumerable: true, configurable: true });
  }
  return copy ?? fields;
}

function carryAt(key: PropertyKey, item: unknown, levels: number): unknown {
  try {
    return carry(item, levels - 1);
  } catch (thrown) {
    if (thrown instanceof NotCarried) thrown.path.unshift(key);
    throw thrown;
  }
}

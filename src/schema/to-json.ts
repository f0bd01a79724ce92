import { LONE_SURROGATE } from './bounds.ts';
import { shortPointer } from './engine/place.ts';
import { isBlob } from './file-form.ts';
import type { Problem } from './problem.ts';
import { toWireForm } from './wire-forms.ts';

/** A value as JSON, or the part of it that JSON cannot represent. */
export type JsonResult =
  | {
      readonly value: unknown;
      readonly problem?: undefined;
      /** Whether a toJSON was called, so that the result may be anything. */
      readonly isCustom?: true;
    }
  | { readonly problem: Problem };

/**
 * Copies a value as plain JSON, or returns a problem if JSON cannot represent it: JSON.stringify would turn NaN,
 * Infinity and holes in arrays into null, a Map into {}, and would throw on a cycle or a BigInt. Applies wire forms
 * (dates, BigInt, bytes) and toJSON. Always a copy: a getter may return something else the second time. `keepsFiles`:
 * files stay as they are, for those who carry them unread.
 */
export function toJson(value: unknown, deepest: number, keepsFiles = false): JsonResult {
  try {
    const before = customCalls;
    const converted = convert(value, deepest, keepsFiles);
    return customCalls === before ? { value: converted } : { value: converted, isCustom: true };
  } catch (thrown) {
    // A getter or a Proxy may throw anything.
    if (!(thrown instanceof NotJson)) return { problem: { pointer: '', message: 'cannot be read' } };
    return { problem: { pointer: shortPointer(thrown.path.toReversed()), message: thrown.message } };
  }
}

/** How often a toJSON was called. A number, since a toJSON may convert something itself. */
let customCalls = 0;

class NotJson {
  /** The innermost key first. */
  readonly path: PropertyKey[] = [];

  constructor(readonly message: string) {}
}

function refuse(message: string): never {
  throw new NotJson(message);
}

function convert(value: unknown, levels: number, keepsFiles: boolean): unknown {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? value : refuse(`string with ${LONE_SURROGATE}`);
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : refuse(`${value} cannot be represented in JSON`);
    case 'bigint':
      return toWireForm(value);
    case 'object':
      return value === null ? null : convertObject(value, levels, keepsFiles);
    default:
      return refuse(`${typeof value} cannot be represented in JSON`);
  }
}

function convertObject(value: object, levels: number, keepsFiles: boolean): unknown {
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  const text = isPlain ? undefined : toWireForm(value);
  if (text !== undefined) return text;
  if (!isPlain && value instanceof Date) {
    refuse(
      `${Number.isNaN(value.getTime()) ? 'an invalid date' : 'a date beyond the year 9999'} cannot be represented in JSON`,
    );
  }
  if (keepsFiles && !isPlain && isBlob(value)) return value;
  // The depth limit also catches cycles.
  if (levels === 0) refuse('nested too deeply, or circular');
  const custom = (value as { toJSON?: unknown }).toJSON;
  if (typeof custom === 'function') {
    customCalls++;
    return convert(custom.call(value) as unknown, levels - 1, keepsFiles);
  }
  if (isPlain) return convertFields(value, levels, keepsFiles);
  if (Array.isArray(value)) return convertItems(value, levels, keepsFiles);
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return kind === 'Object' ? convertFields(value, levels, keepsFiles) : refuse(`${kind} cannot be represented in JSON`);
}

function convertItems(items: readonly unknown[], levels: number, keepsFiles: boolean): unknown[] {
  const copy = [...items]; // turns holes into undefined
  for (let i = 0; i < copy.length; i++) {
    const converted = convertAt(i, copy[i], levels, keepsFiles);
    if (converted !== copy[i]) copy[i] = converted;
  }
  return copy;
}

function convertFields(fields: object, levels: number, keepsFiles: boolean): object {
  const copy: Record<string, unknown> = { ...fields }; // reads each getter once
  let isComplete = true;
  for (const name of Object.keys(copy)) {
    if (!name.isWellFormed()) refuse(`a key with ${LONE_SURROGATE}`);
    const value = copy[name];
    if (value === undefined) isComplete = false;
    const converted = value === undefined ? undefined : convertAt(name, value, levels, keepsFiles);
    if (converted === value) continue;
    // Plain assignment to the key `__proto__` would set the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { ...OWN, value: converted });
    else copy[name] = converted;
  }
  // JSON.stringify omits undefined fields, so they must not count as fields in the check.
  return isComplete ? copy : Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined));
}

const OWN = { writable: true, enumerable: true, configurable: true };

function convertAt(key: PropertyKey, item: unknown, levels: number, keepsFiles: boolean): unknown {
  try {
    return convert(item, levels - 1, keepsFiles);
  } catch (thrown) {
    if (thrown instanceof NotJson) thrown.path.push(key);
    throw thrown;
  }
}

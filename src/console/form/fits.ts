import { InexactNumber } from '../../schema/parse-json.ts';
import { isObject, UnreadText } from './json-text.ts';
import { readNumber } from './read-number.ts';
import type { Shape } from './shape.ts';

/** Whether the field of a shape shows all of a value. Anything else is shown as JSON: nothing is sent unseen. */
export function fits(value: unknown, { kind }: Shape): boolean {
  if (value === undefined || kind === 'json' || kind === 'choice' || kind === 'union') return true;
  // Text of the whole field, which was no JSON.
  if (value instanceof UnreadText) return false;
  switch (kind) {
    case 'number':
      // Empty in a list, or text that is not a number, or not yet.
      if (value === null || value instanceof InexactNumber || typeof value === 'number') return true;
      return typeof value === 'string' && readNumber(value) === value;
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      // Inputs turn a carriage return into something else.
      return typeof value === 'string' && !value.includes('\r');
    case 'bytes':
      return value === null || typeof value === 'string';
    case 'file':
      return value === null || isFile(value);
    case 'list':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      // A constant, or null: shown as a choice, which says if it is something else.
      return true;
  }
}

const isFile = (value: unknown) =>
  isObject(value) &&
  typeof value['data'] === 'string' &&
  Object.entries(value).every(([key, part]) => ['name', 'type', 'data'].includes(key) && typeof part === 'string');

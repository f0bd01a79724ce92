import { isFileSchema } from '../../schema/file-form.ts';
import { expectation } from '../../schema/problem.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Flag } from './flags.ts';

/** What help shows after the name of a flag: `integer`, or `mean|median|sum`. */
export function placeholderOf(flag: Flag): string {
  const { enum: allowed, type } = itemOf(flag);
  if (isFileSchema(itemOf(flag))) return '@file';
  if (allowed) return allowed.map(String).join('|');
  return type === 'object' || type === 'array'
    ? 'json'
    : expectation({ type }).replaceAll(' or ', '|').replace('a value', 'value');
}

/** The values that a flag allows, if they are listed. */
export function valuesOf(flag: Flag): readonly string[] {
  return itemOf(flag).enum?.map(String) ?? [];
}

export function itemOf({ kind, schema }: Flag): JsonSchema {
  return kind === 'list' && typeof schema.items === 'object' ? schema.items : schema;
}

/** The description in help. */
export function describeFlag({ schema, kind, required }: Flag): string {
  const notes = [
    required && 'required',
    kind === 'list' && 'repeatable',
    schema.default !== undefined && `default: ${JSON.stringify(schema.default)}`,
  ].filter(Boolean);
  return [schema.description, notes.length > 0 && `(${notes.join(', ')})`].filter(Boolean).join(' ');
}

import { accepts } from './accepts.ts';
import { structureFromText } from './from-text.ts';
import type { JsonSchema } from './json-schema.ts';
import { repair } from './repair.ts';

/**
 * The list that strings stand for, where a parameter may be given more than once: each is an item. A single one may be
 * the whole list as JSON, if it would not be a valid item.
 */
export function listFromTexts(texts: readonly string[], schema: JsonSchema, root: JsonSchema): unknown {
  const items = repair([...texts], schema, root).value as readonly unknown[];
  if (accepts(items, schema, root)) return items;
  const whole = texts.length === 1 ? structureFromText(texts[0]!) : undefined;
  if (Array.isArray(whole)) return repair(whole, schema, root).value;
  const { items: item } = schema;
  return typeof item === 'object' ? items.map((one) => structured(one, item, root)) : items;
}

/** JSON that does not match the schema is parsed all the same, so that the pipeline can report which field is wrong. */
export function structured(value: unknown, schema: JsonSchema, root: JsonSchema): unknown {
  if (typeof value !== 'string' || accepts(value, schema, root)) return value;
  return structureFromText(value) ?? value;
}

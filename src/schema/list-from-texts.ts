import { accepts } from './accepts.ts';
import { isTooDeep } from './bounds.ts';
import { structureFromText } from './from-text.ts';
import type { JsonSchema } from './json-schema.ts';
import { repair } from './repair.ts';

/**
 * The list that strings stand for, where a parameter may be given more than once: each is an item. A single one may be
 * the whole list as JSON, if it would not be a valid item. Items are not converted yet.
 */
export function listFromTexts(texts: readonly string[], schema: JsonSchema, root: JsonSchema): readonly unknown[] {
  const whole = texts.length === 1 ? structureFromText(texts[0]!) : undefined;
  if (!Array.isArray(whole)) return texts;
  if (isTooDeep(whole)) return whole; // for the check of bounds to report
  return accepts(repair(texts, schema, root).value, schema, root) ? texts : whole;
}

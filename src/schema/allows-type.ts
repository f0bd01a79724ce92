import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { branchesOf, resolve, typesOf } from './schema-tree.ts';

/** Whether a schema may accept a value of a type: `array`, `string`. False only if its types rule that out. */
export function allowsType(
  declared: unknown,
  type: string,
  root: JsonSchema,
  seen: ReadonlySet<JsonSchema> = new Set(),
): boolean {
  if (!isRecord(declared)) return declared !== false;
  const schema = resolve({ schema: declared, root });
  if (seen.has(schema)) return true; // recursive
  if (typesOf(schema)?.includes(type) === false) return false;
  const inside = new Set([...seen, schema]);
  const allows = (part: unknown) => allowsType(part, type, root, inside);
  const all = (schema['allOf'] ?? []) as readonly unknown[];
  return all.every(allows) && (branchesOf(schema)?.some(allows) ?? true);
}

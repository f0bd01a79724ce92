import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { unionsOf, resolve, typesOf } from './schema-tree.ts';

/** Whether a schema may accept a value of a type: `array`, `string`. False only if its types rule that out. */
export function allowsType(declared: unknown, type: string, root: JsonSchema): boolean {
  /** Each schema once, however many branches refer to it. */
  const known = new Map<JsonSchema, boolean>();
  const allows = (part: unknown): boolean => {
    if (!isRecord(part)) return part !== false;
    const schema = resolve({ schema: part, root });
    let result = known.get(schema);
    if (result !== undefined) return result;
    known.set(schema, true); // until it is known: the schema may refer to itself
    result = typesOf(schema)?.includes(type) !== false;
    if (result) result = ((schema['allOf'] ?? []) as readonly unknown[]).every(allows);
    if (result) result = unionsOf(schema).every((branches) => branches.some(allows));
    known.set(schema, result);
    return result;
  };
  return allows(declared);
}

import { isOther } from './engine/surface.ts';
import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { isOf, resolve, typesOf } from './schema-tree.ts';
import { applicable, isSecret, schemasBelow } from './secrets.ts';

const REDACTED = '[redacted]';

/**
 * A copy of a value for eyes other than its owner's: what its schema marks as secret is replaced, and so is what no
 * schema describes, such as a misspelt `pasword`, and what is nested deeper than anyone would look.
 */
export function redact(value: unknown, root: JsonSchema, deepest: number): unknown {
  return redactAs(value, [root], root, deepest);
}

/** By all the schemas that may apply; one that says secret is enough. */
function redactAs(value: unknown, declared: Iterable<unknown>, root: JsonSchema, levels: number): unknown {
  const all = [...declared];
  const schemas = applicable(all, root, (branch) => !isOther(value, branch, root));
  const isHidden = levels === 0 || schemas.size === 0 || [...schemas].some(isSecret);
  if (isHidden || !all.some((schema) => isOfType(value, schema, root))) return REDACTED;
  if (Array.isArray(value)) {
    return value.map((item: unknown, i) => redactAs(item, schemasBelow(schemas, i), root, levels - 1));
  }
  if (!isRecord(value)) return typeof value === 'bigint' ? value.toString() : value;
  const named = Object.entries(value).map(([name, inner]) => [
    name,
    redactAs(inner, schemasBelow(schemas, name), root, levels - 1),
  ]);
  return Object.fromEntries(named) as unknown;
}

/** A string where an object belongs may hold anything. */
function isOfType(value: unknown, declared: unknown, root: JsonSchema): boolean {
  return (
    !isRecord(declared) || (typesOf(resolve({ schema: declared, root }))?.some((type) => isOf(value, type)) ?? true)
  );
}

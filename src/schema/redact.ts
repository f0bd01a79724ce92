import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { branchesOf, isOf, resolve, schemasFor, typesOf } from './schema-tree.ts';

const REDACTED = '[redacted]';

/** Whether a schema marks its values as secret. */
export function isSecret(schema: JsonSchema): boolean {
  return schema['writeOnly'] === true || schema['format'] === 'password' || schema['x-sensitive'] === true;
}

/**
 * A copy of a value for eyes other than its owner's: what its schema marks as secret is replaced, and so is what no
 * schema describes, such as a misspelt `pasword`.
 */
export function redact(value: unknown, root: JsonSchema): unknown {
  return redactAs(value, [root], root);
}

/** By all the schemas that may apply; one that says secret is enough. */
function redactAs(value: unknown, declared: readonly unknown[], root: JsonSchema): unknown {
  const schemas = declared.flatMap((schema) => applicable(schema, root));
  if (schemas.length === 0 || schemas.some(isSecret) || !schemas.some((schema) => isOfType(value, schema)))
    return REDACTED;
  if (Array.isArray(value)) {
    return value.map((item: unknown, i) =>
      redactAs(
        item,
        schemas.map((schema) => ((schema['prefixItems'] ?? []) as readonly unknown[])[i] ?? schema.items ?? true),
        root,
      ),
    );
  }
  if (!isRecord(value)) return value;
  const named = Object.entries(value).map(([name, inner]) => {
    const about: unknown[] = schemas.flatMap((schema) => schemasFor(schema, name));
    const isOpen = about.length === 0 && schemas.every((schema) => schema.properties === undefined);
    return [name, redactAs(inner, isOpen ? [true] : about, root)];
  });
  return Object.fromEntries(named) as unknown;
}

/** Text where an object belongs may hold anything. */
function isOfType(value: unknown, schema: JsonSchema): boolean {
  return typesOf(schema)?.some((type) => isOf(value, type)) ?? true;
}

/** A schema with all that its references, unions and conditions may add. */
function applicable(declared: unknown, root: JsonSchema, deepest = 32): JsonSchema[] {
  if (declared === true) return [{}];
  if (!isRecord(declared) || deepest === 0) return [];
  const schema = resolve({ schema: declared, root });
  const parts = [
    ...((schema['allOf'] ?? []) as readonly unknown[]),
    ...(branchesOf(schema) ?? []),
    schema['then'],
    schema['else'],
  ];
  return [schema, ...parts.flatMap((part) => applicable(part, root, deepest - 1))];
}

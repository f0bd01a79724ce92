import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { keysOf } from './pointer.ts';
import { isOf, resolve, schemasFor, typesOf } from './schema-tree.ts';

const REDACTED = '[redacted]';

/** Whether a schema marks its values as secret. */
function isSecret(schema: JsonSchema): boolean {
  return schema['writeOnly'] === true || schema['format'] === 'password' || schema['x-sensitive'] === true;
}

/**
 * A copy of a value for eyes other than its owner's: what its schema marks as secret is replaced, and so is what no
 * schema describes, such as a misspelt `pasword`, and what is nested deeper than anyone would look.
 */
export function redact(value: unknown, root: JsonSchema, deepest: number): unknown {
  return redactAs(value, [root], root, deepest);
}

/** By all the schemas that may apply; one that says secret is enough. */
function redactAs(value: unknown, declared: readonly unknown[], root: JsonSchema, levels: number): unknown {
  const schemas = declared.flatMap((schema) => applicable(schema, root));
  const isHidden = levels === 0 || schemas.length === 0 || schemas.some(isSecret);
  if (isHidden || !declared.some((schema) => isOfType(value, schema, root))) return REDACTED;
  if (Array.isArray(value)) {
    return value.map((item: unknown, i) =>
      redactAs(
        item,
        schemas.flatMap((schema) => itemSchemas(schema, i)),
        root,
        levels - 1,
      ),
    );
  }
  if (!isRecord(value)) return typeof value === 'bigint' ? value.toString() : value;
  const named = Object.entries(value).map(([name, inner]) => [
    name,
    redactAs(
      inner,
      schemas.flatMap((schema) => schemasFor(schema, name)),
      root,
      levels - 1,
    ),
  ]);
  return Object.fromEntries(named) as unknown;
}

/** Whether the place that a pointer leads to, or one that it lies in, is secret. */
export function isSecretAt(pointer: string, root: JsonSchema): boolean {
  let schemas = applicable(root, root);
  for (const key of keysOf(pointer)) {
    if (schemas.some(isSecret)) return true;
    const inner = schemas.flatMap((schema) => [...schemasFor(schema, key), ...itemSchemas(schema, Number(key))]);
    schemas = inner.flatMap((schema) => applicable(schema, root));
  }
  return schemas.some(isSecret);
}

/** Whether anything in a schema is secret. */
export function hasSecrets(schema: unknown, seen = new Set<unknown>()): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  return isSecret(schema as JsonSchema) || Object.values(schema).some((inner) => hasSecrets(inner, seen));
}

function itemSchemas(schema: JsonSchema, i: number): unknown[] {
  const first = ((schema['prefixItems'] ?? []) as readonly unknown[])[i];
  return [first ?? schema.items, schema['contains']];
}

/** Text where an object belongs may hold anything. */
function isOfType(value: unknown, declared: unknown, root: JsonSchema): boolean {
  return (
    !isRecord(declared) || (typesOf(resolve({ schema: declared, root }))?.some((type) => isOf(value, type)) ?? true)
  );
}

/** A schema with all that its references, unions and conditions may add. */
function applicable(declared: unknown, root: JsonSchema, deepest = 32): JsonSchema[] {
  if (!isRecord(declared) || deepest === 0) return [];
  const schema = resolve({ schema: declared, root });
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (schema[key] ?? []) as readonly unknown[]);
  const dependent: unknown[] = Object.values((schema['dependentSchemas'] ?? {}) as Record<string, unknown>);
  const parts = [...lists, ...dependent, schema['if'], schema['then'], schema['else']];
  return [schema, ...parts.flatMap((part) => applicable(part, root, deepest - 1))];
}

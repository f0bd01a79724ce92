import type { JsonSchema } from './json-schema.ts';
import { lookUp } from './pointer.ts';

/** A schema together with the document its local references point into. */
export interface Node {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

/** Follows local references until something other than a reference is reached. */
export function resolve({ schema, root }: Node): JsonSchema {
  let current = schema;
  // A reference that leads back to itself describes nothing; a chain is never this long.
  for (let hops = 0; hops < 32 && typeof current['$ref'] === 'string'; hops++) {
    const target = lookUp(root, current['$ref']);
    if (typeof target !== 'object' || target === null) return {};
    const { $ref: _, ...beside } = current;
    current = { ...(target as JsonSchema), ...beside };
  }
  return current;
}

/** The types a resolved schema allows, from `type` or from the values it lists; undefined when it does not say. */
export function typesOf(schema: JsonSchema): readonly string[] | undefined {
  if (typeof schema.type === 'string') return [schema.type];
  if (schema.type) return schema.type;
  const values = 'const' in schema ? [schema.const] : schema.enum;
  return values && [...new Set(values.map(typeOf))];
}

/** The JSON Schema name of a value's type. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

/** Whether a value is of a type: 1 is an integer and a number. */
export function isOf(value: unknown, type: string): boolean {
  const actual = typeOf(value);
  return actual === type || (type === 'number' && actual === 'integer');
}

/** The schemas of which one (anyOf, oneOf) must hold. */
export function branchesOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
  return (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined;
}

/** All that an object schema says of one field: by its name, by a pattern, or for fields it does not name. */
export function schemasFor(schema: JsonSchema, name: string): (JsonSchema | boolean)[] {
  const patterns = Object.entries((schema['patternProperties'] ?? {}) as Record<string, JsonSchema | boolean>);
  const found = patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(name)).map(([, inner]) => inner);
  if (schema.properties && Object.hasOwn(schema.properties, name)) found.push(schema.properties[name]!);
  const others = schema['additionalProperties'] as JsonSchema | boolean | undefined;
  return found.length > 0 || others === undefined ? found : [others];
}

/** Everything an object schema says of its properties, its own and what allOf, anyOf, oneOf and references add. */
export function propertiesOf(node: Node, seen = new Set<JsonSchema>()): Map<string, JsonSchema> | 'open' {
  const all = new Map<string, JsonSchema>();
  if (seen.has(node.schema)) return all; // a schema that contains itself
  seen.add(node.schema);
  const schema = resolve(node);
  const extra = schema['additionalProperties'];
  if ((extra !== undefined && extra !== false) || schema['patternProperties']) return 'open';
  for (const [name, property] of Object.entries(schema.properties ?? {})) all.set(name, property);
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (schema[key] ?? []) as readonly JsonSchema[]);
  for (const key of ['if', 'then', 'else'] as const) if (schema[key]) parts.push(schema[key] as JsonSchema);
  for (const part of parts) {
    const inner = propertiesOf({ schema: part, root: node.root }, seen);
    if (inner === 'open') return 'open';
    for (const [name, property] of inner) if (!all.has(name)) all.set(name, property);
  }
  return all;
}

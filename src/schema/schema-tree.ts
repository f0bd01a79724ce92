import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { lookUp } from './pointer.ts';

/** A schema and the document that its local references point into. */
export interface RootedSchema {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

const resolved = new WeakMap<JsonSchema, WeakMap<JsonSchema, JsonSchema>>();

/** Follows the reference of a schema, if it has one. Returns the same object each time. */
export function resolve({ schema, root }: RootedSchema): JsonSchema {
  if (typeof schema['$ref'] !== 'string') return schema;
  let known = resolved.get(root);
  if (!known) resolved.set(root, (known = new WeakMap()));
  let found = known.get(schema);
  if (!found) known.set(schema, (found = follow(schema, root, 32)));
  return found;
}

function follow(schema: JsonSchema, root: JsonSchema, hops: number): JsonSchema {
  const { $ref, ...rest } = schema;
  if (typeof $ref !== 'string') return schema;
  const found = lookUp(root, $ref);
  // No real chain is this long: a reference to itself, which describes nothing.
  if (!isRecord(found) || hops === 0) return found === false ? { not: {} } : rest;
  const target = follow(found, root, hops - 1);
  if (Object.keys(rest).every(isNote)) {
    return { ...target, ...rest };
  }
  // Both apply.
  const type = rest.type ?? target.type;
  return { ...rest, ...(type && { type }), allOf: [...((rest['allOf'] ?? []) as readonly JsonSchema[]), target] };
}

/** Keywords that are annotations only: they do not affect validation. */
export const NOTES: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$defs',
  'definitions',
  '$schema',
  '$id',
]);

export const isNote = (keyword: string): boolean => NOTES.has(keyword) || keyword.startsWith('x-');

/** The types that a resolved schema allows, by `type` or by its listed values; undefined if it names none. */
export function typesOf(schema: JsonSchema): readonly string[] | undefined {
  if (typeof schema.type === 'string') return [schema.type];
  if (schema.type) return schema.type;
  const values = 'const' in schema ? [schema.const] : schema.enum;
  if (!values) return undefined;
  let types = listedTypes.get(schema);
  if (!types) listedTypes.set(schema, (types = [...new Set(values.map(typeOf))]));
  return types;
}

/** Cached: needed for every item of a list. */
const listedTypes = new WeakMap<JsonSchema, readonly string[]>();

/** The type of a value, as JSON Schema names it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

/** Whether a value has a type: 1 is both an integer and a number. */
export function hasType(value: unknown, type: string): boolean {
  const actual = typeOf(value);
  return actual === type || (type === 'number' && actual === 'integer');
}

/** The branches of a union (anyOf, oneOf). */
export function branchesOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
  return (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined;
}

/** Every union that a schema is: it may have both keywords, which then both apply. */
export function unionsOf(schema: JsonSchema): readonly (readonly JsonSchema[])[] {
  return [schema['anyOf'], schema['oneOf']].filter((branches) => branches !== undefined) as JsonSchema[][];
}

/** The schemas of a field: by its name, by a pattern, or for additional fields. */
export function schemasFor(schema: JsonSchema, name: string): (JsonSchema | boolean)[] {
  const patterns = schema['patternProperties'] as Readonly<Record<string, JsonSchema | boolean>> | undefined;
  const found = patterns ? patternsOf(patterns).flatMap(([pattern, inner]) => (pattern.test(name) ? [inner] : [])) : [];
  if (schema.properties && Object.hasOwn(schema.properties, name)) found.push(schema.properties[name]!);
  const others = (schema['additionalProperties'] ?? unevaluated(schema)) as JsonSchema | boolean | undefined;
  return found.length > 0 || others === undefined ? found : [others];
}

/** Without other keywords that evaluate fields, unevaluatedProperties is the same as additionalProperties. */
const unevaluated = (schema: JsonSchema) =>
  SAME_VALUE.some((keyword) => keyword in schema) ? undefined : schema['unevaluatedProperties'];

/** Keywords that apply further schemas to the same value. */
export const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', '$ref'];

type Patterns = readonly (readonly [RegExp, JsonSchema | boolean])[];

const compiled = new WeakMap<object, Patterns>();

function patternsOf(declared: Readonly<Record<string, JsonSchema | boolean>>): Patterns {
  let patterns = compiled.get(declared);
  if (!patterns) {
    patterns = Object.entries(declared).map(([pattern, inner]) => [new RegExp(pattern, 'u'), inner]);
    compiled.set(declared, patterns);
  }
  return patterns;
}

/** The schema of the item at an index. */
export function schemaForItem(schema: JsonSchema, index: number): JsonSchema | boolean | undefined {
  return ((schema['prefixItems'] ?? []) as readonly JsonSchema[])[index] ?? schema.items;
}

/** The subschemas that apply, or may apply, to the same value. */
export function partsOf(schema: JsonSchema): readonly (JsonSchema | boolean)[] {
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (schema[key] ?? []) as readonly JsonSchema[]);
  for (const key of ['if', 'then', 'else', 'not'] as const) if (key in schema) parts.push(schema[key] as JsonSchema);
  return [...parts, ...Object.values((schema['dependentSchemas'] ?? {}) as Record<string, JsonSchema>)];
}

/**
 * All properties that an object schema declares, including those from references and from subschemas for the same
 * value; 'open' if it allows other fields. A name that is only in `required` counts as declared.
 */
export function propertiesOf(node: RootedSchema): Map<string, JsonSchema> | 'open' {
  const declared = new Map<string, JsonSchema>();
  const demanded = new Set<string>();
  const seen = new Set<JsonSchema>();
  let describes = false;
  const isOpen = (part: unknown): boolean => {
    if (!isRecord(part)) return false;
    const schema = resolve({ schema: part, root: node.root });
    if (seen.has(schema)) return false; // recursive
    seen.add(schema);
    if (letsInOthers(schema)) return true;
    describes ||= 'properties' in schema || schema['additionalProperties'] === false;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (!declared.has(name)) declared.set(name, isRecord(property) ? property : {});
    }
    for (const name of demandedBy(schema)) demanded.add(name);
    return partsOf(schema).some(isOpen);
  };
  if (isOpen(node.schema) || !describes) return 'open';
  for (const name of demanded) if (!declared.has(name)) declared.set(name, {});
  return declared;
}

/** The fields that a schema names without describing them. */
function* demandedBy(schema: JsonSchema): Generator<string> {
  yield* schema.required ?? [];
  const dependent = (schema['dependentRequired'] ?? {}) as Record<string, string[]>;
  for (const [name, others] of Object.entries(dependent)) yield* [name, ...others];
  yield* Object.keys(schema['dependentSchemas'] ?? {});
  for (const value of [schema.const, ...(schema.enum ?? [])]) if (isRecord(value)) yield* Object.keys(value);
}

function letsInOthers(schema: JsonSchema): boolean {
  const { additionalProperties, unevaluatedProperties, patternProperties } = schema;
  if (additionalProperties === false) return patternProperties !== undefined;
  if (additionalProperties !== undefined || patternProperties !== undefined) return true;
  if (unevaluatedProperties !== undefined && unevaluatedProperties !== false) return true;
  // These are about fields that are not declared here.
  return 'propertyNames' in schema || 'minProperties' in schema;
}

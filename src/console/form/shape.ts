import { isFileSchema } from '../../schema/file-form.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { expectation } from '../../schema/problem.ts';
import { resolve, typesOf } from '../../schema/schema-tree.ts';
import { isSecret } from '../../schema/secrets.ts';

/** What a form shows for a schema. */
export type Shape =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'choice'; readonly values: readonly unknown[] }
  | { readonly kind: 'file' | 'bytes' | 'boolean' | 'null' | 'json' }
  | { readonly kind: 'number'; readonly isInteger: boolean }
  | { readonly kind: 'string'; readonly input: 'text' | 'date' | 'datetime' | 'password' | 'multiline' }
  | { readonly kind: 'list'; readonly first: readonly JsonSchema[]; readonly items: JsonSchema | undefined }
  | { readonly kind: 'object'; readonly properties: readonly Property[]; readonly rest: JsonSchema | undefined }
  | { readonly kind: 'union'; readonly branches: readonly JsonSchema[] };

interface Property {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Reads a schema; references in it are resolved in the root. */
export function shapeOf(declared: JsonSchema, root: JsonSchema): Shape {
  const schema = merged(declared, root);
  if ('const' in schema) return { kind: 'constant', value: schema.const };
  if (schema.enum) return { kind: 'choice', values: schema.enum };
  if (isFileSchema(schema)) return { kind: 'file' };
  const branches = branchesOf(schema);
  if (branches) return { kind: 'union', branches };
  const types = typesOf(schema) ?? [];
  if (types.length > 1) return { kind: 'union', branches: types.map((type) => ({ ...schema, type })) };
  switch (types[0] ?? guessed(schema)) {
    case 'string':
      return stringShape(schema);
    case 'number':
      return { kind: 'number', isInteger: false };
    case 'integer':
      return { kind: 'number', isInteger: true };
    case 'boolean':
      return { kind: 'boolean' };
    case 'null':
      return { kind: 'null' };
    case 'array':
      return listShape(schema);
    case 'object':
      return objectShape(schema);
    default:
      return { kind: 'json' };
  }
}

const guessed = (schema: JsonSchema) => (schema.properties ? 'object' : schema.items ? 'array' : undefined);

function stringShape(schema: JsonSchema): Shape {
  if (schema['contentEncoding'] === 'base64') return { kind: 'bytes' };
  if (isSecret(schema)) return { kind: 'string', input: 'password' };
  const { format, maxLength } = schema as { format?: unknown; maxLength?: unknown };
  if (format === 'date') return { kind: 'string', input: 'date' };
  if (format === 'date-time') return { kind: 'string', input: 'datetime' };
  const isLong = (typeof maxLength === 'number' && maxLength >= 200) || schema['contentMediaType'] !== undefined;
  return { kind: 'string', input: isLong ? 'multiline' : 'text' };
}

function listShape({ prefixItems, items }: JsonSchema): Shape {
  const first = Array.isArray(prefixItems) ? (prefixItems as JsonSchema[]) : [];
  // After a tuple nothing more is expected, unless the schema says what.
  const more = isRecord(items) ? items : undefined;
  return { kind: 'list', first, items: first.length > 0 ? more : items === false ? undefined : (more ?? {}) };
}

function objectShape({ properties, required = [], additionalProperties, ...rest }: JsonSchema): Shape {
  const listed = Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
  }));
  const patterns = isRecord(rest['patternProperties']) ? Object.values(rest['patternProperties']) : [];
  const others = isRecord(additionalProperties) ? (additionalProperties as JsonSchema) : (patterns[0] as JsonSchema);
  const isOpen = additionalProperties === true || (listed.length === 0 && additionalProperties !== false);
  return { kind: 'object', properties: listed, rest: others ?? (isOpen ? {} : undefined) };
}

function branchesOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
  const { anyOf, oneOf, ...shared } = schema as JsonSchema & { anyOf?: JsonSchema[]; oneOf?: JsonSchema[] };
  const branches = anyOf ?? oneOf;
  if (!Array.isArray(branches)) return undefined;
  // Keywords next to the branches hold for each of them.
  const hasFields = shared.properties !== undefined;
  return branches.map((branch) => (hasFields ? { allOf: [shared, branch] } : branch));
}

/** A schema without references and `allOf`, as far as a form needs it. */
export function merged(declared: JsonSchema, root: JsonSchema, depth = 0): JsonSchema {
  const schema = isRecord(declared) ? resolve({ schema: declared, root }) : {};
  const { allOf, ...own } = schema as JsonSchema & { allOf?: JsonSchema[] };
  if (!Array.isArray(allOf) || depth > 8) return schema;
  const parts = [own as JsonSchema, ...allOf.map((part) => merged(part, root, depth + 1))];
  const properties = joined(parts.map((part) => part.properties ?? {}));
  const required = parts.flatMap((part) => part.required ?? []);
  return {
    ...(Object.assign({}, ...parts.toReversed()) as JsonSchema),
    ...(parts.some((part) => part.properties) && { properties }),
    ...(required.length > 0 && { required }),
  } as JsonSchema;
}

/** A property that several parts describe must be all of what they say. */
function joined(parts: readonly NonNullable<JsonSchema['properties']>[]): JsonSchema['properties'] {
  const all = Map.groupBy(
    parts.flatMap((part) => Object.entries(part)),
    ([name]) => name,
  );
  return Object.fromEntries([...all].map(([name, found]) => [name, allOf(found.map(([, schema]) => schema))]));
}

const allOf = (schemas: readonly JsonSchema[]) => (schemas.length === 1 ? schemas[0]! : { allOf: schemas });

/** Whether a schema describes no field at all: that of a function without arguments. */
export function takesNothing(declared: JsonSchema, root: JsonSchema): boolean {
  const { properties = {}, additionalProperties = false, patternProperties, anyOf, oneOf } = merged(declared, root);
  return (
    Object.keys(properties).length === 0 &&
    additionalProperties === false &&
    [patternProperties, anyOf, oneOf].every((part) => part === undefined)
  );
}

/** A branch in a chooser: its title, what tells it apart, or what it expects. */
export function branchLabel(branch: JsonSchema, root: JsonSchema): string {
  const schema = merged(branch, root);
  if (typeof schema['title'] === 'string') return schema['title'];
  const mark = Object.entries(schema.properties ?? {}).find(([, inner]) => 'const' in merged(inner, root));
  if (mark) return `${mark[0]}: ${JSON.stringify(merged(mark[1], root).const)}`;
  if (schema.properties) return `object with ${Object.keys(schema.properties).slice(0, 3).join(', ')}`;
  return expectation(schema);
}

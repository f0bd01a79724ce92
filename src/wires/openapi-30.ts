import { mapSchemas } from '../schema/embed.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/** Keywords of JSON Schema 2020-12 that OpenAPI 3.0 does not have. Without them a schema allows more, never less. */
const UNKNOWN = [
  '$schema',
  '$id',
  '$anchor',
  '$comment',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'minContains',
  'maxContains',
  'dependentRequired',
  'dependentSchemas',
  'contentMediaType',
  'contentSchema',
];

/** The same schema in the dialect of OpenAPI 3.0, for older tools. */
export function toOpenApi30(schema: JsonSchema): JsonSchema {
  // Beside $ref, 3.0 ignores everything.
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  const { const: only, examples, contentEncoding, prefixItems, ...rest } = mapSchemas(schema, toOpenApi30);
  const converted: Record<string, unknown> = { ...rest, ...nullability(rest) };
  if ('const' in schema) Object.assign(converted, only === null ? NULL : { enum: [only] });
  if (Array.isArray(examples)) converted['example'] = examples[0];
  if (contentEncoding === 'base64') converted['format'] = 'byte';
  if (prefixItems) Object.assign(converted, tuple(prefixItems as readonly JsonSchema[]));
  if (converted['type'] === 'array') converted['items'] ??= {};
  for (const [bound, exclusive] of BOUNDS) {
    if (typeof rest[exclusive] === 'number') Object.assign(converted, { [bound]: rest[exclusive], [exclusive]: true });
  }
  for (const keyword of UNKNOWN) delete converted[keyword];
  return withoutBooleans(converted);
}

const asSchema = (value: unknown) => (value === true ? {} : value === false ? { not: {} } : value);

/** 3.0 takes true and false for a schema only where further properties are meant. */
function withoutBooleans(schema: Record<string, unknown>): JsonSchema {
  for (const key of ['items', 'not']) if (key in schema) schema[key] = asSchema(schema[key]);
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const list = schema[key];
    if (Array.isArray(list)) schema[key] = list.map(asSchema);
  }
  const { properties } = schema as JsonSchema;
  if (properties) {
    schema['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, asSchema(value)]),
    );
  }
  return schema;
}

const BOUNDS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

function tuple(items: readonly JsonSchema[]): object {
  return { items: { anyOf: items }, minItems: items.length, maxItems: items.length };
}

/** 3.0 has one type a schema, and `nullable` beside a type for null. */
function nullability({ type, items }: JsonSchema): object {
  if (type === 'null') return NULL;
  if (!Array.isArray(type)) return {};
  const types = type.filter((name) => name !== 'null');
  if (types.length === 1) return { type: types[0], ...(types.length < type.length && { nullable: true }) };
  const branch = (name: string) => (name === 'array' ? { type: name, items: items ?? {} } : { type: name });
  return { type: undefined, items: undefined, anyOf: type.map((name) => (name === 'null' ? NULL : branch(name))) };
}

/** Only null: no type of 3.0 is it, so one is borrowed. */
const NULL = { type: 'string', nullable: true, enum: [null] };

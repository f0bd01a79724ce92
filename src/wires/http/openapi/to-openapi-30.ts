import { SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS, SCHEMA_KEYWORDS, mapSchemas } from '../../../schema/embed.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { lookUp } from '../../../schema/pointer.ts';

/** Keywords of JSON Schema 2020-12 that OpenAPI 3.0 does not have. Without them a schema allows more, never less. */
const UNSUPPORTED = [
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
];

/** Keywords that it does not have either, and that restrict nothing. */
const ANNOTATING = ['$schema', '$id', '$anchor', '$comment', 'contentMediaType', 'contentSchema'];

/** The same schema in the dialect of OpenAPI 3.0, for older tools. */
export function toOpenApi30(root: JsonSchema): JsonSchema {
  return convert(root);

  function convert(schema: JsonSchema): JsonSchema {
    // 3.0 ignores everything next to $ref.
    if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
    const { const: only, examples, contentEncoding, prefixItems, ...rest } = mapSchemas(schema, convert);
    const converted: Record<string, unknown> = { ...rest };
    if (Array.isArray(prefixItems)) Object.assign(converted, tupleOf(prefixItems, rest));
    if (isRecord(rest['patternProperties'])) Object.assign(converted, additionalPropertiesOf(rest));
    // A schema that allows more would forbid more under "not", and in "oneOf" a second branch might match.
    if (isRecord(schema['not']) && !isExact(schema['not'], root)) delete converted['not'];
    const { oneOf } = rest;
    if (Array.isArray(oneOf) && !isExact({ oneOf: schema['oneOf'] }, root)) {
      delete converted['oneOf'];
      addAnyOf(converted, oneOf);
    }
    addType(converted, schema.type);
    if ('const' in schema) Object.assign(converted, only === null ? NULL : { enum: [only] });
    if (Array.isArray(examples)) converted['example'] = examples[0];
    if (contentEncoding === 'base64') converted['format'] = 'byte';
    if (converted['type'] === 'array') converted['items'] ??= {};
    Object.assign(converted, boundOf(rest, 'minimum', 'exclusiveMinimum', Math.max));
    Object.assign(converted, boundOf(rest, 'maximum', 'exclusiveMaximum', Math.min));
    for (const keyword of [...UNSUPPORTED, ...ANNOTATING]) delete converted[keyword];
    return withoutBooleans(converted);
  }
}

/** Whether a schema means exactly the same in 3.0. */
function isExact(schema: unknown, root: JsonSchema, seen = new Set<unknown>()): boolean {
  if (!isRecord(schema) || seen.has(schema)) return true;
  seen.add(schema);
  if (typeof schema['$ref'] === 'string') {
    const isAlone = Object.keys(schema).every((name) => name === '$ref' || ANNOTATIONS.has(name));
    return isAlone && isExact(lookUp(root, schema['$ref']), root, seen);
  }
  if (UNSUPPORTED.some((keyword) => keyword in schema) || 'prefixItems' in schema) return false;
  // The conversion keeps only one of these.
  const exclusive = ['enum' in schema, 'const' in schema, schema['type'] === 'null'];
  if (exclusive.filter(Boolean).length > 1) return false;
  if (schema['const'] === null && 'type' in schema) return false;
  const inner = [
    ...SCHEMA_KEYWORDS.map((name) => schema[name]),
    ...SCHEMA_LIST_KEYWORDS.flatMap((name) => schema[name]),
    ...SCHEMA_MAP_KEYWORDS.filter((name) => !STORES.has(name)).flatMap((name) =>
      isRecord(schema[name]) ? Object.values(schema[name]) : [],
    ),
  ];
  return inner.every((one) => isExact(one, root, seen));
}

const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', '$comment']);
/** Schemas in here only apply where they are referenced. */
const STORES = new Set(['$defs', 'definitions']);

const asSchema = (value: unknown) => (value === true ? {} : value === false ? { not: {} } : value);

/** In 3.0 a schema can be true or false only in additionalProperties. */
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

/** 3.0 has one schema for all items, so each item may match any schema of the tuple. */
function tupleOf(prefix: readonly unknown[], schema: JsonSchema): object {
  const { items = true, maxItems = Infinity } = schema as { items?: unknown; maxItems?: number };
  const longest = items === false ? Math.min(prefix.length, maxItems) : maxItems;
  return {
    items: anyOf(longest > prefix.length ? [...prefix, items] : prefix),
    ...(longest !== Infinity && { maxItems: longest }),
  };
}

/** Without patternProperties, what matches a pattern counts as an additional property. */
function additionalPropertiesOf({ patternProperties, additionalProperties = true }: JsonSchema): object {
  return { additionalProperties: anyOf([...Object.values(patternProperties as object), additionalProperties]) };
}

function anyOf(schemas: readonly unknown[]): unknown {
  const possible = schemas.filter((schema) => schema !== false);
  if (possible.some((schema) => schema === true || (isRecord(schema) && Object.keys(schema).length === 0))) return {};
  return possible.length === 0 ? { not: {} } : { anyOf: possible };
}

/** Goes into allOf if the schema already has an anyOf. */
function addAnyOf(schema: Record<string, unknown>, branches: readonly unknown[]): void {
  if (!('anyOf' in schema)) schema['anyOf'] = branches;
  else schema['allOf'] = [...((schema['allOf'] as readonly unknown[] | undefined) ?? []), { anyOf: branches }];
}

/** In 3.0 exclusiveMinimum is a flag of minimum; of two bounds, the narrower one is kept. */
function boundOf(schema: JsonSchema, bound: string, exclusive: string, narrower: typeof Math.max): object {
  const edge = schema[exclusive];
  if (typeof edge !== 'number') return {};
  const given = schema[bound];
  const isExclusive = typeof given !== 'number' || narrower(given, edge) === edge;
  return { [bound]: isExclusive ? edge : given, [exclusive]: isExclusive ? true : undefined };
}

/** In 3.0 a schema has one type, and `nullable` for null. */
function addType(schema: Record<string, unknown>, type: unknown): void {
  if (type === 'null') Object.assign(schema, NULL);
  if (!Array.isArray(type)) return;
  const types = type.filter((name) => name !== 'null');
  if (types.length === 1) {
    Object.assign(schema, { type: types[0], ...(types.length < type.length && { nullable: true }) });
    return;
  }
  const { items = {} } = schema;
  const branch = (name: string) => (name === 'array' ? { type: name, items: asSchema(items) } : { type: name });
  delete schema['type'];
  delete schema['items'];
  addAnyOf(
    schema,
    type.map((name: string) => (name === 'null' ? NULL : branch(name))),
  );
}

/** Only null. 3.0 has no type for null, so this uses a nullable string. */
const NULL = { type: 'string', nullable: true, enum: [null] };

import { mapSchemas } from '../schema/embed.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/** Keywords of JSON Schema 2020-12 that OpenAPI 3.0 does not have. Without them a schema allows more, never less. */
const UNKNOWN = [
  '$schema',
  '$id',
  '$anchor',
  '$comment',
  '$defs',
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
  if ('const' in schema) converted['enum'] = [only];
  if (Array.isArray(examples)) converted['example'] = examples[0];
  if (contentEncoding === 'base64') converted['format'] = 'byte';
  if (prefixItems) Object.assign(converted, tuple(prefixItems as readonly JsonSchema[]));
  if (converted['type'] === 'array') converted['items'] ??= {};
  for (const [bound, exclusive] of BOUNDS) {
    if (typeof rest[exclusive] === 'number') Object.assign(converted, { [bound]: rest[exclusive], [exclusive]: true });
  }
  for (const keyword of UNKNOWN) delete converted[keyword];
  return converted;
}

const BOUNDS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

function tuple(items: readonly JsonSchema[]): object {
  return { items: { anyOf: items }, minItems: items.length, maxItems: items.length };
}

/** 3.0 has one type a schema, and `nullable` for null. */
function nullability({ type, anyOf, oneOf }: JsonSchema): object {
  const branches = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (branches?.some(isNull)) {
    const others = branches.filter((branch) => !isNull(branch));
    const [single] = others;
    // A reference takes no neighbours, so it is wrapped.
    if (others.length === 1 && single && !single['$ref']) return { ...cleared, ...single, nullable: true };
    return { ...cleared, anyOf: others, nullable: true };
  }
  if (!Array.isArray(type)) return type === 'null' ? { type: undefined, nullable: true, enum: [null] } : {};
  const types = type.filter((name) => name !== 'null');
  const nullable = types.length < type.length ? { nullable: true } : {};
  if (types.length === 1) return { type: types[0], ...nullable };
  return { type: undefined, anyOf: types.map((name) => ({ type: name })), ...nullable };
}

const cleared = { anyOf: undefined, oneOf: undefined };

function isNull(schema: JsonSchema): boolean {
  // By now `{type: 'null'}` has been converted.
  return (
    schema['nullable'] === true && Array.isArray(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null
  );
}

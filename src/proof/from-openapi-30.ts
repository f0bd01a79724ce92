import { mapSchemas } from '../schema/embed.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/** A schema of OpenAPI 3.0 as JSON Schema: `nullable` allows null, and exclusive bounds are flags. */
export function fromOpenApi30(schema: JsonSchema): JsonSchema {
  const { nullable, ...rest } = mapSchemas(schema, fromOpenApi30);
  const converted: Record<string, unknown> = { ...rest };
  for (const [bound, exclusive] of BOUNDS) {
    if (rest[exclusive] === true) converted[exclusive] = rest[bound];
    else if (rest[exclusive] === false) delete converted[exclusive];
  }
  return nullable === true ? { anyOf: [converted, { type: 'null' }] } : converted;
}

const BOUNDS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

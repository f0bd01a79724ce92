import { mapSchemas } from '../../../schema/embed.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { SHAPE } from '../shape.ts';

/** The schema without the marks that only the binder needs; the same object if it has none. */
export function publicSchema(schema: JsonSchema): JsonSchema {
  return hasShapes(schema) ? without(schema) : schema;
}

/** Most schemas have none, which their text shows in a fraction of the time. */
export function hasShapes(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes(`"${SHAPE}"`) && isMarked(schema);
}

function isMarked(schema: JsonSchema): boolean {
  let found = SHAPE in schema;
  if (!found) {
    mapSchemas(schema, (inner) => {
      found ||= isMarked(inner);
      return inner;
    });
  }
  return found;
}

function without(schema: JsonSchema): JsonSchema {
  const { [SHAPE]: _, ...rest } = mapSchemas(schema, without);
  return rest;
}

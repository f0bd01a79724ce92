import type { Returned } from '../../core/input-output.ts';
import { Definitions } from '../../schema/embed.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';

/** The schema of an object with these fields, all required. Definitions move to the new root. */
export function objectOf(fields: Readonly<Record<string, JsonSchema | undefined>>): JsonSchema {
  const shelf = new Definitions('#/$defs/');
  const present = Object.entries(fields).filter((field): field is [string, JsonSchema] => field[1] !== undefined);
  const properties = Object.fromEntries(present.map(([name, schema]) => [name, shelf.embed(schema, name)]));
  return {
    type: 'object',
    properties,
    ...(present.length > 0 && { required: present.map(([name]) => name) }),
    ...(Object.keys(shelf.schemas).length > 0 && { $defs: shelf.schemas }),
  };
}

/** The schema of an outcome's data: one value, a list of values, or undefined for none. */
export function dataSchema(returned: Returned): JsonSchema | undefined {
  if (returned.kind === 'none') return undefined;
  if (returned.kind === 'one') return returned.schema.json;
  const shelf = new Definitions('#/$defs/');
  const { length } = returned.schemas;
  return {
    type: 'array',
    prefixItems: returned.schemas.map(({ json }, i) => shelf.embed(json, `value${i}`)),
    minItems: length,
    maxItems: length,
    ...(Object.keys(shelf.schemas).length > 0 && { $defs: shelf.schemas }),
  };
}

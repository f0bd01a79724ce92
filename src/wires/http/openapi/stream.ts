import type { RegisteredFunction } from '../../../core/registered-function.ts';
import { Definitions } from '../../../schema/embed.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { toPascalCase } from './names.ts';
import type { SharedSchemas } from './schemas.ts';

/** The streams that a function with `yields` can be asked for, by media type. */
export function describeStream({ name, yields }: RegisteredFunction, schemas: SharedSchemas): Record<string, object> {
  if (!yields) return {};
  const owner = toPascalCase(name);
  const place = { side: 'output', owner, name: `${owner}Event`, isOwned: true } as const;
  return {
    'text/event-stream': {
      schema: { type: 'string', description: 'Server-sent events: chunk, progress, result, error' },
    },
    'application/x-ndjson': { schema: schemas.place(eventSchema(yields.json), place, { isInline: true }) },
  };
}

/** One line of NDJSON. Clients find the schema of a chunk in the first branch of `data`. */
function eventSchema(chunk: JsonSchema): JsonSchema {
  const shelf = new Definitions('#/$defs/');
  const data = { anyOf: [shelf.embed(chunk, 'chunk'), { type: 'object', description: 'Of all events but chunk' }] };
  return {
    type: 'object',
    properties: { event: { type: 'string', enum: ['chunk', 'progress', 'result', 'error'] }, data },
    required: ['event', 'data'],
    ...(Object.keys(shelf.schemas).length > 0 && { $defs: shelf.schemas }),
  };
}

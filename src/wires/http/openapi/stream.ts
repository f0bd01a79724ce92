import type { RegisteredFunction } from '../../../core/registered-function.ts';
import { toPascalCase } from './names.ts';
import type { SharedSchemas } from './schemas.ts';

/** The extension that has the schema of a chunk. */
const YIELDS = 'x-everywire-yields';

interface Streamed {
  /** Of the response. */
  readonly content: Readonly<Record<string, object>>;
  readonly extension: Readonly<Record<string, object>>;
}

/**
 * The streams that a function with `yields` can be asked for. Clients of generators take a further media type for what a
 * response may be, so only the document with everything lists them. The schema of a chunk is in each, for our client.
 */
export function describeStream(
  { name, yields }: RegisteredFunction,
  schemas: SharedSchemas,
  isEverything: boolean,
): Streamed {
  if (!yields) return { content: {}, extension: {} };
  const owner = toPascalCase(name);
  const place = { side: 'output', owner, name: `${owner}Chunk`, isOwned: true } as const;
  return {
    content: isEverything ? STREAMS : {},
    extension: { [YIELDS]: schemas.place(yields.json, place) },
  };
}

const STREAMS = {
  'text/event-stream': {
    schema: { type: 'string', description: 'Server-sent events: chunk, progress, result, error' },
  },
  'application/x-ndjson': {
    schema: {
      type: 'object',
      properties: { event: { type: 'string', enum: ['chunk', 'progress', 'result', 'error'] }, data: {} },
      required: ['event', 'data'],
    },
  },
};

/** For people who read the document. */
export const ALSO_STREAMED = 'As a stream with `Accept: text/event-stream` or `application/x-ndjson`.';

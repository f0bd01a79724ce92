import { readAccept } from '../../responses/negotiate.ts';

const STREAM_TYPES = ['text/event-stream', 'application/x-ndjson', 'application/ndjson', 'application/jsonl'] as const;

export type StreamType = (typeof STREAM_TYPES)[number];

/**
 * The stream that an Accept header asks for: it must be named, and preferred over JSON. Wildcards never mean a stream.
 * Most requests have none of these words in their header, and pay for no more than that.
 */
export function streamTypeIn(accept: string | readonly string[] | undefined): StreamType | undefined {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return undefined;
  const header = String(accept);
  if (!/event-stream|ndjson|jsonl/i.test(header)) return undefined;
  let found: StreamType | undefined;
  let quality = 0;
  let json = 0;
  let any = 0;
  for (const range of readAccept(header)) {
    const type = STREAM_TYPES.find((one) => one === range.type);
    if (type && range.quality > quality) [found, quality] = [type, range.quality];
    else if (range.type.endsWith('json') && !type) json = Math.max(json, range.quality);
    else if (range.type.endsWith('/*')) any = Math.max(any, range.quality);
  }
  return quality > json && quality >= any ? found : undefined;
}

/** Whether a response with this Content-Type ends only when its call does. */
export function isStreamType(contentType: unknown): boolean {
  return typeof contentType === 'string' && STREAM_TYPES.some((type) => contentType.startsWith(type));
}

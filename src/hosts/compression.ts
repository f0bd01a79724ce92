import type { HttpHeaders, HttpReply } from '../wires/http/message.ts';
import { chooseCoding } from './accept-encoding.ts';
import type { Coding } from './accept-encoding.ts';

export interface CompressionOptions {
  /** Bodies of text are compressed from this number of characters on; 4096 by default. */
  readonly from?: number;
}

/** A reply whose body may be compressed. */
export interface EncodedReply extends Omit<HttpReply, 'body'> {
  readonly body: HttpReply['body'] | Uint8Array;
}

/** Compresses a reply, if it is large and the client asks for it. */
export type Compress = (
  reply: HttpReply,
  request: { readonly headers: HttpHeaders },
) => EncodedReply | Promise<EncodedReply>;

/** Below this, a response fits in a few packets anyway, and compressing it costs more than it saves. */
const DEFAULT_FROM = 4096;

/** How many bodies may wait for zlib's threads. Further ones are sent as they are: that is faster then. */
const MAX_WAITING = 32;

export function createCompress(
  options: CompressionOptions | false | undefined,
  onError: (thrown: unknown) => void,
): Compress {
  if (options === false) return (reply) => reply;
  const from = options?.from ?? DEFAULT_FROM;
  // The OpenAPI document is one reply that is sent many times; what has an ETag may be.
  const compressed = new WeakMap<HttpReply, Map<Coding, Promise<Uint8Array>>>();
  let waiting = 0;

  return (reply, { headers }) => {
    const { body } = reply;
    if (typeof body !== 'string' || body.length < from) return reply.status === 304 ? withVariants(reply) : reply;
    const coding = chooseCoding(headers['accept-encoding']);
    return coding === undefined ? withVariants(reply) : encode(reply, body, coding);
  };

  async function encode(reply: HttpReply, body: string, coding: Coding): Promise<EncodedReply> {
    const plain = withVariants(reply);
    const kept = reply.headers['etag'] === undefined ? undefined : variantsOf(reply);
    const known = kept?.get(coding);
    if (!known && waiting >= MAX_WAITING) return plain;
    const bytes = known ?? deflate(body, coding);
    kept?.set(coding, bytes);
    try {
      return { ...plain, headers: { ...plain.headers, 'content-encoding': coding }, body: await bytes };
    } catch (thrown) {
      kept?.delete(coding);
      onError(thrown);
      return plain;
    }
  }

  async function deflate(body: string, coding: Coding): Promise<Uint8Array> {
    waiting++;
    try {
      return await (await import('./zlib.ts')).compressors[coding](body);
    } finally {
      waiting--;
    }
  }

  function variantsOf(reply: HttpReply): Map<Coding, Promise<Uint8Array>> {
    const known = compressed.get(reply) ?? new Map<Coding, Promise<Uint8Array>>();
    compressed.set(reply, known);
    return known;
  }
}

/** A response that exists in several codings. A 304 has the headers of the response that it stands for. */
function withVariants(reply: HttpReply): HttpReply {
  const { vary } = reply.headers;
  return { ...reply, headers: { ...reply.headers, vary: vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding' } };
}

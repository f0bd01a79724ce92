import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import { parseJson } from '../schema/parse-json.ts';
import { cutNesting } from './cut-nesting.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The arguments in a body: undefined when it is empty, a failure when it is not UTF-8 JSON. Only one level more than
 * `depth` is parsed; the caller refuses what is too deep.
 */
export function decodeJson(body: Uint8Array, depth: number): { readonly input: unknown } | Failed {
  if (body.byteLength === 0) return { input: undefined };
  try {
    return { input: parseJson(utf8.decode(cutNesting(body, depth))) };
  } catch {
    return refuse('INVALID_JSON', 'Invalid JSON body');
  }
}

/** How many times its limit a body that is refused is read and dropped, so that the client gets the response. */
export const MAX_DROPPED = 16;

export function tooLarge(limit: number): Failed {
  return refuse('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes`);
}

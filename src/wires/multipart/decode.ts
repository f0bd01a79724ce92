import { refuse } from '../../core/failure.ts';
import { filesTooLarge } from '../../core/file-sizes.ts';
import type { Limits } from '../../core/limits.ts';
import type { Failed } from '../../core/outcome.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import type { HttpRequest } from '../http/message.ts';
import { tooLarge } from '../json-body.ts';
import { decodePairs } from '../query/decode.ts';
import { FormReader } from './form-reader.ts';
import { MemorySpool } from './memory-spool.ts';
import { MultipartMistake, MultipartParser } from './parser.ts';
import { boundaryOf } from './part-headers.ts';

/** The arguments in multipart/form-data, and in the path. Files are not kept in memory, if the host can avoid it. */
export async function decodeMultipart(
  { headers, body, upload }: HttpRequest,
  values: readonly string[],
  fn: RegisteredFunction,
  limits: Limits,
): Promise<{ readonly input: unknown } | Failed> {
  const boundary = boundaryOf(String(headers['content-type']));
  if (boundary === undefined) return mistake('its Content-Type has no valid boundary');
  const length = Number(headers['content-length'] ?? 0);
  if (length > limits.body + limits.file) return filesTooLarge(limits.file);
  const { chunks, spool = new MemorySpool() } = upload ?? { chunks: only(body) };
  const parser = new MultipartParser(boundary);
  const form = new FormReader(spool);
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch(() => undefined);
      if (!next) return refuse('BAD_REQUEST', 'The body could not be read');
      if (next.done) break;
      for (const event of parser.feed(next.value)) {
        if (typeof event === 'object' && 'data' in event) {
          // Before it is stored.
          const refused = form.refuse(event.data.length, parser.overhead, limits);
          if (refused) return refused;
        }
        const taken = form.take(event);
        if (taken) await taken;
      }
      if (parser.overhead + form.textSize > limits.body) return tooLarge(limits.body);
    }
    parser.end();
    const pairs = await form.end();
    return decodePairs(pairs, values, fn, limits);
  } catch (thrown) {
    if (thrown instanceof MultipartMistake) return mistake(thrown.message);
    throw thrown; // ours, such as a disk that is full
  } finally {
    await iterator.return?.();
  }
}

const mistake = (message: string): Failed => refuse('BAD_REQUEST', `Invalid multipart/form-data: ${message}`);

async function* only(body: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  yield body;
}

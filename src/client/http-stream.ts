import { isCode, refuse } from '../core/failure.ts';
import { failed } from '../core/outcome.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Progress } from '../core/context.ts';
import { readResponse } from '../responses/read-response.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { StreamHooks } from './connection.ts';
import type { Expected } from './http-response.ts';
import { isProfiled } from './is-profiled.ts';
import { unreachable } from './unreachable.ts';

/** Whether a response is a stream of events, as it was asked for. */
export function isEventStream({ ok, headers }: Response): boolean {
  return ok && headers.get('content-type')?.startsWith('application/x-ndjson') === true;
}

/** Reads a stream of events to its last one, as fast as the chunks are taken. Never throws. */
export async function readEvents(response: Response, known: Expected, hooks: StreamHooks): Promise<Outcome> {
  try {
    for await (const line of linesOf(response.body!)) {
      const outcome = await readEvent(line, known, hooks);
      if (outcome) return outcome;
    }
  } catch (thrown) {
    return unreachable(thrown);
  }
  // What was received so far must not be taken for a success.
  return refuse('UNAVAILABLE', 'The connection ended before the result');
}

/** The outcome, if it is the last event. */
async function readEvent(line: string, known: Expected, hooks: StreamHooks): Promise<Outcome | undefined> {
  if (line === '') return undefined;
  const { event, data } = parse(line);
  switch (event) {
    case 'chunk':
      await hooks.push(known.reviveChunk ? known.reviveChunk(data) : data);
      return undefined;
    case 'progress':
      hooks.onProgress?.(data as Progress);
      return undefined;
    case 'result': {
      if (!isProfiled(data))
        return refuse('INVALID_RESPONSE_FORMAT', 'The stream ends with a result that cannot be read');
      const outcome = readResponse(data);
      return outcome.ok && known.revive ? { ...outcome, data: known.revive(outcome.data) } : outcome;
    }
    case 'error':
      return readError(data);
    default:
      return event === undefined
        ? refuse('INVALID_RESPONSE_FORMAT', 'The stream contains a line that is no event')
        : undefined;
  }
}

function parse(line: string): Readonly<Record<string, unknown>> {
  try {
    const event: unknown = JSON.parse(line);
    return isRecord(event) ? event : {};
  } catch {
    return {};
  }
}

/** Takes from the event what the body does not contain. */
export function readError(data: unknown): Outcome {
  const { code, retry, retryAfter, body } = isRecord(data) ? data : {};
  const outcome = readResponse(body);
  if (outcome.ok || !isCode(code)) return refuse('INVALID_RESPONSE_FORMAT', 'The stream ends with an invalid error');
  const after = typeof retryAfter === 'number' ? { retryAfter } : {};
  return failed({ ...outcome.error, code: code as string, retry: retry === true, ...after });
}

/** The lines of a body. What follows the last line break was cut off. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const [first = '', ...others] = decoder.decode(next.value, { stream: true }).split('\n');
      const last = others.pop();
      if (last === undefined) {
        rest += first;
        continue;
      }
      yield rest + first;
      yield* others;
      rest = last;
    }
  } finally {
    // Ends the request if the loop was left. It may have failed already.
    await reader.cancel().catch(() => {});
  }
}

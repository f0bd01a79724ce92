import { isRecord } from '../../../schema/json-schema.ts';

/**
 * An answer that came as a stream of one message, as JSON; a stream that has more to tell stays one. Until that is known,
 * nobody else could cancel the stream when the client disconnects.
 */
export async function unlessStreamed(response: Response, left: AbortSignal): Promise<Response> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream || !response.body) return response;
  const reader = response.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {}); // nobody is left to be told
  left.addEventListener('abort', cancel, { once: true });
  if (left.aborted) cancel();
  const chunks: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let text = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    text += decoder.decode(next.value, { stream: true });
    if (text.includes('\n\n') && answerIn(text) === undefined) return new Response(resumed(chunks, reader), response);
  }
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  const answer = answerIn(text);
  return answer === undefined
    ? new Response(resumed(chunks, reader), response)
    : new Response(answer, { status: response.status, headers });
}

/** The one message in a text of events, if it is an answer. */
function answerIn(text: string): string | undefined {
  const [event = '', ...others] = text.split('\n\n').filter((part) => part.trim() !== '');
  const data = event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())
    .join('\n');
  if (others.length > 0 || data === '') return undefined;
  try {
    const message: unknown = JSON.parse(data);
    return isRecord(message) && !('method' in message) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** What was read so far, then the rest. */
function resumed(
  chunks: readonly Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

import { isRecord } from '../../../schema/json-schema.ts';

/**
 * Turns an event stream with a single response into JSON. A stream with more messages stays one. Until that is known, only
 * this function can cancel the stream when the client disconnects.
 */
export async function sseToJson(response: Response, disconnected: AbortSignal): Promise<Response> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream || !response.body) return response;
  const reader = response.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {}); // the client is gone
  disconnected.addEventListener('abort', cancel, { once: true });
  if (disconnected.aborted) cancel();
  const chunks: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let text = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    text += decoder.decode(next.value, { stream: true });
    if (text.includes('\n\n') && responseIn(text) === undefined) return new Response(resumed(chunks, reader), response);
  }
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  const json = responseIn(text);
  return json === undefined
    ? new Response(resumed(chunks, reader), response)
    : new Response(json, { status: response.status, headers });
}

/** The only message of an event stream, if it is a response. */
function responseIn(text: string): string | undefined {
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

/** The chunks that were read already, then the rest. */
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

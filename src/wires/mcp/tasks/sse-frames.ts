import { isRecord } from '../../../schema/json-schema.ts';
import type { Message } from '../jsonrpc.ts';

/** The events of an event stream, each with the empty line that ends it. */
export async function* framesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let text = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += decoder.decode(next.value, { stream: true });
    for (let end = text.indexOf(END); end !== -1; end = text.indexOf(END)) {
      yield text.slice(0, end + END.length);
      text = text.slice(end + END.length);
    }
  }
}

const END = '\n\n';

export const toFrame = (message: string): string => `event: message\ndata: ${message}${END}`;

/** The message in an event; undefined if it has none, like a comment that keeps a connection alive. */
export function messageIn(frame: string): Message | undefined {
  const data = /^data: ?(.*)$/m.exec(frame)?.[1];
  const message: unknown = data === undefined ? undefined : JSON.parse(data);
  return isRecord(message) ? message : undefined;
}

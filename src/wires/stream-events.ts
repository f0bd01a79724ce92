import type { Answer } from '../app/respond.ts';
import { factsOf } from '../core/codes.ts';

/** A stream consists of chunks and progress, and ends with exactly one result or error. */
type EventName = 'chunk' | 'progress' | 'result' | 'error';

/** How events are written. `data` is JSON on one line. */
export type EncodeEvent = (event: EventName, data: string) => string;

/** One line of JSON for each event. */
export const toNdjson: EncodeEvent = (event, data) => `{"event":"${event}","data":${data}}\n`;

/** Server-sent events. The last one has an id, so that a browser that reconnects can be told that it has everything. */
export const toSse: EncodeEvent = (event, data) =>
  `event: ${event}\n${event === 'result' || event === 'error' ? `id: ${LAST_EVENT_ID}\n` : ''}data: ${data}\n\n`;

export const LAST_EVENT_ID = 'end';

/** The last event of a stream: the exact body, and for a failure what other wires send beside it. */
export function lastEvent({ outcome, body, fn }: Answer, encode: EncodeEvent): string {
  if (outcome.ok) return encode('result', body);
  const { code, retry, retryAfter } = outcome.error;
  const { status } = factsOf(code, fn?.definition.errors);
  const facts = JSON.stringify({ code, status, retry, ...(retryAfter !== undefined && { retryAfter }) });
  return encode('error', `${facts.slice(0, -1)},"body":${body}}`);
}

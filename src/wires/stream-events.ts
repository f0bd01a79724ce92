import type { Answer } from '../app/respond.ts';
import { statusOf } from '../core/failure.ts';

/**
 * The stream of a call consists of chunks and progress, and ends with exactly one result or error. That of a task consists of
 * the task, again whenever it has changed.
 */
type EventName = 'chunk' | 'progress' | 'result' | 'error' | 'task';

/** How events are written. `data` is JSON on one line. */
export type EncodeEvent = (event: EventName, data: string, isLast?: boolean) => string;

/** One line of JSON for each event. */
export const toNdjson: EncodeEvent = (event, data) => `{"event":"${event}","data":${data}}\n`;

/** Server-sent events. The last one has an id, so that a browser that reconnects can be told that it has everything. */
export const toSse: EncodeEvent = (event, data, isLast = event === 'result' || event === 'error') =>
  `event: ${event}\n${isLast ? `id: ${LAST_EVENT_ID}\n` : ''}data: ${data}\n\n`;

export const LAST_EVENT_ID = 'end';

/** The last event of a stream: the exact body, and for a failure what other wires send with it. */
export function lastEvent({ outcome, body, fn }: Answer, encode: EncodeEvent): string {
  if (outcome.ok) return encode('result', body);
  const { code, retry, retryAfter } = outcome.error;
  const status = statusOf(outcome, fn?.definition.errors);
  const facts = JSON.stringify({ code, status, retry, ...(retryAfter !== undefined && { retryAfter }) });
  return encode('error', `${facts.slice(0, -1)},"body":${body}}`);
}

import type { CallEvent } from '../core/call-events.ts';

/** One line for a person who watches a server: `14:03:09 http functions.Add OK 0.4 ms`. */
export function callLine({ wire, subject, code = '', duration = 0 }: CallEvent, now = new Date()): string {
  const time = now.toTimeString().slice(0, 8);
  return `${time} ${wire} ${subject} ${code} ${duration.toFixed(1)} ms\n`;
}

import type { CallEvent } from '../core/call-event.ts';
import { truncate } from '../schema/truncate.ts';

/** One line for a person who watches a server: `14:03:09 http functions.Add OK 0.4 ms`. For the run of a task: `task`. */
export function callLine({ wire, subject, task, code = '', duration = 0 }: CallEvent, now = new Date()): string {
  const time = now.toTimeString().slice(0, 8);
  return `${time} ${task ? 'task' : wire} ${printable(subject)} ${code} ${duration.toFixed(1)} ms\n`;
}

/** The name of an unknown function comes from the caller, who could send escape sequences to the terminal. */
function printable(text: string): string {
  return truncate(text, 100).replaceAll(/\p{C}/gu, '?');
}

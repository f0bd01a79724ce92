import type { Progress } from '../../core/context.ts';
import { widthOf } from '../../responses/columns.ts';

const BAR = 20;

/** Progress as one line of at most `columns`: `[=====>    ]  50% row 5  0:02  2.5/s`. */
export function progressLine({ done, total, message = '' }: Progress, elapsed: number, columns: number): string {
  const ratio = total !== undefined && total > 0 ? Math.min(1, Math.max(0, done / total)) : undefined;
  const rate = elapsed >= 1000 && done > 0 ? `  ${rounded(done / (elapsed / 1000))}/s` : '';
  const end = `  ${clock(elapsed)}${rate}`;
  const start = ratio === undefined ? rounded(done) : `${bar(ratio, columns)}${percent(ratio)}`;
  const room = columns - start.length - end.length - 1;
  const said = room > 0 ? cut(printable(message), room) : '';
  return `${start}${said && ` ${said}`}${end}`.slice(0, columns);
}

/** What is waited for, before there is any progress: `waiting for a worker  0:02`. */
export function waitLine(what: string, elapsed: number, columns: number): string {
  const end = `  ${clock(elapsed)}`;
  const room = columns - end.length;
  return room > 0 ? `${cut(printable(what), room)}${end}` : clock(elapsed).slice(0, columns);
}

/** Left out on narrow terminals. */
function bar(ratio: number, columns: number): string {
  if (columns < 2 * BAR) return '';
  const filled = Math.round(ratio * BAR);
  const head = filled > 0 && filled < BAR ? `${'='.repeat(filled - 1)}>` : '='.repeat(filled);
  return `[${head.padEnd(BAR)}] `;
}

const percent = (ratio: number) => `${Math.floor(ratio * 100)}%`.padStart(4);

const rounded = (value: number) => String(Math.abs(value) < 100 ? Number(value.toFixed(1)) : Math.round(value));

function clock(elapsed: number): string {
  const seconds = Math.floor(elapsed / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A message may come from anywhere: line breaks and escape sequences would break the line. */
const printable = (message: string) => message.slice(0, 1000).replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');

function cut(text: string, room: number): string {
  if (widthOf(text) <= room) return text;
  let [short, width] = ['', 1];
  for (const character of text) {
    width += widthOf(character);
    if (width > room) break;
    short += character;
  }
  return `${short}…`;
}

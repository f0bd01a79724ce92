import { relative } from 'node:path';
import type { ContractChange } from '../../contract/change.ts';
import type { Process } from '../process.ts';

/** More lines than this are not read. */
const MAX_CHANGES = 20;
const MAX_NAMES = 3;

const SIGNS = { added: ['+', 32], removed: ['-', 31], changed: ['~', 33] } as const;

/** A line with the time on stderr, and lines below it. */
export function printReload(proc: Process, line: string, below: readonly string[] = [], now = new Date()): void {
  const time = now.toTimeString().slice(0, 8);
  proc.stderr.write([`${paint(proc, time, 2)} ${line}`, ...below.map((one) => `  ${one}`), ''].join('\n'));
}

/** One line for each difference. */
export function changeLines(proc: Process, changes: readonly ContractChange[]): readonly string[] {
  const lines = changes.slice(0, MAX_CHANGES).map(({ kind, subject, text, isBreaking }) => {
    const [sign, colour] = SIGNS[kind];
    return `${paint(proc, sign, colour)} ${subject}${text && `: ${text}`}${isBreaking ? paint(proc, ' (breaking)', 31) : ''}`;
  });
  const more = changes.length - lines.length;
  return more > 0 ? [...lines, `… and ${more} more`] : lines;
}

/** `src/math.ts, src/orders.ts and 3 more`. */
export function fileNames(files: readonly string[]): string {
  const names = files.slice(0, MAX_NAMES).map((path) => {
    const near = relative('', path);
    return near === '' || near.startsWith('..') ? path : near;
  });
  const more = files.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function paint(proc: Process, text: string, colour: number): string {
  const isColoured = proc.isTerminal(2) && !proc.env['NO_COLOR'];
  return isColoured ? `\x1b[${colour}m${text}\x1b[0m` : text;
}

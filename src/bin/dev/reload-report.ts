import { relative } from 'node:path';
import type { ContractChange } from '../../contract/change.ts';
import { isTerminalAt } from '../../stdout/descriptor.ts';

/** More lines than this are not read. */
const MAX_CHANGES = 20;
const MAX_NAMES = 3;

const SIGNS = { added: ['+', 32], removed: ['-', 31], changed: ['~', 33] } as const;

/** A line with the time on stderr, and lines below it. */
export function printReload(line: string, below: readonly string[] = [], now = new Date()): void {
  const time = now.toTimeString().slice(0, 8);
  process.stderr.write([`${paint(time, 2)} ${line}`, ...below.map((one) => `  ${one}`), ''].join('\n'));
}

/** One line for each difference. */
export function changeLines(changes: readonly ContractChange[]): readonly string[] {
  const lines = changes.slice(0, MAX_CHANGES).map(({ kind, subject, text, isBreaking }) => {
    const [sign, colour] = SIGNS[kind];
    return `${paint(sign, colour)} ${subject}${text && `: ${text}`}${isBreaking ? paint(' (breaking)', 31) : ''}`;
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

function paint(text: string, colour: number): string {
  const isColoured = isTerminalAt(2) && !process.env['NO_COLOR'];
  return isColoured ? `\x1b[${colour}m${text}\x1b[0m` : text;
}

import type { Refusal } from './description.ts';

/** Longer lines are cut around the caret: a bundled file is one line. */
const WIDEST = 160;

/** A refusal as the command line prints it: where, what and why, and the source with a caret. */
export function formatRefusal({ name, file, line, column, source, reason }: Refusal): string {
  const what = name === '' ? reason : `${name}: ${reason}`;
  const { text, caret } = cut(source, column - 1);
  const number = String(line);
  const gutter = ' '.repeat(number.length);
  return `${file}:${line}:${column}: ${what}\n  ${number} | ${text}\n  ${gutter} | ${' '.repeat(caret)}^`;
}

function cut(source: string, at: number): { text: string; caret: number } {
  const start = source.length > WIDEST && at > WIDEST / 2 ? at - WIDEST / 2 : 0;
  // A tab is wider than the space under it.
  const text = source.slice(start, start + WIDEST).replaceAll('\t', ' ');
  return { text, caret: Math.min(at - start, text.length) };
}

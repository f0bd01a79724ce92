import { padded, toCell, widest, widthOf } from '../../responses/columns.ts';
import { isRecord } from '../../schema/json-schema.ts';

const GAP = '  ';
/** A narrower column says nothing; the last columns are left out instead. */
const NARROWEST = 6;

/**
 * Prints a list as a table with a row for each item, and an object as one with a row for each field. No line is wider than
 * `width`: cells are cut, and the last columns are left out if there is no room for them.
 */
export function tableOf(width: number): (data: unknown) => string {
  return (data) => {
    const { names, rows } = rowsOf(data);
    const most = Math.max(1, Math.floor((width + GAP.length) / (NARROWEST + GAP.length)));
    const shown = names.slice(0, most);
    const cells = [shown, ...rows].map((row) => shown.map((_, i) => oneLine(row[i] ?? '')));
    const widths = fitted(
      shown.map((_, i) => widest(cells.map((row) => row[i]!))),
      width,
    );
    const lines = cells.map((row) =>
      row
        .map((text, i) => padded(cut(text, widths[i]!), widths[i]!))
        .join(GAP)
        .trimEnd(),
    );
    lines.splice(1, 0, widths.map((each) => '-'.repeat(each)).join(GAP));
    if (names.length > most) lines.push(`(not shown: ${names.slice(most).map(oneLine).join(', ')})`);
    return `${lines.join('\n')}\n`;
  };
}

interface Rows {
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function rowsOf(data: unknown): Rows {
  if (isRecord(data))
    return { names: ['field', 'value'], rows: Object.entries(data).map(([name, value]) => [name, cell(value)]) };
  const items: readonly unknown[] = Array.isArray(data) ? data : [data];
  if (items.length === 0 || !items.every(isRecord))
    return { names: ['value'], rows: items.map((item) => [cell(item)]) };
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  return {
    names,
    rows: items.map((item) => names.map((name) => cell(Object.hasOwn(item, name) ? item[name] : undefined))),
  };
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Control characters could move the cursor. */
const oneLine = (text: string) => toCell(text).replaceAll(/\p{Cc}/gu, ' ');

/** Narrows the widest columns until all fit. */
function fitted(widths: readonly number[], width: number): readonly number[] {
  const room = width - GAP.length * (widths.length - 1);
  const total = (limit: number) => widths.reduce((sum, each) => sum + Math.min(each, limit), 0);
  let limit = widths.reduce((most, each) => Math.max(most, each), 0);
  while (limit > NARROWEST && total(limit) > room) limit--;
  return widths.map((each) => Math.min(each, limit));
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let shown = '';
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used >= width) break;
    shown += character;
  }
  return `${shown}…`;
}

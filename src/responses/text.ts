import { isRecord } from '../schema/json-schema.ts';
import type { Described } from './profiles/profile.ts';

/** An answer in words: the author's if there are any, else made from the data. Never empty. */
export function textFor(data: unknown, fn?: Described): string {
  return fn?.inWords?.(data) ?? (fn?.returned.kind === 'several' ? textOfSeveral(data, fn.returned) : textOf(data));
}

/** Several values, each after what its schema says it is. */
function textOfSeveral(values: unknown, { schemas }: Extract<Described['returned'], { kind: 'several' }>): string {
  const described = (values as readonly unknown[]).map((value, i): [string, unknown] => [
    schemas[i]?.json.description ?? `result${i}`,
    value,
  ]);
  return fields(described).join('\n');
}

/** Any JSON value as a person would write it down: records line by line, lists of records as tables. */
export function textOf(data: unknown): string {
  if (data === undefined) return 'Done.';
  if (Array.isArray(data) && isTable(data)) return [count(data.length), '', ...table(data)].join('\n');
  return lines(data).join('\n');
}

const count = (n: number) => (n === 1 ? '1 item' : `${n} items`);

function lines(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? ['(empty)'] : value.split('\n');
  if (value === null || value === undefined) return ['(none)'];
  if (typeof value !== 'object') return [JSON.stringify(value)];
  if (!Array.isArray(value)) return fields(Object.entries(value));
  const items = value as readonly unknown[];
  if (isTable(items)) return table(items);
  if (items.length === 0) return ['(none)'];
  return capped(items)
    .flatMap((item) => indented('- ', lines(item)))
    .concat(rest(items));
}

/** `name:  value`, aligned; what is nested stands below its name. */
function fields(entries: readonly (readonly [string, unknown])[]): string[] {
  const present = entries
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, unknown] => [oneLine(name), value]);
  if (present.length === 0) return ['(nothing)'];
  const width = widest(present.filter(([, value]) => !isNested(value)).map(([name]) => name));
  return capped(present)
    .flatMap(([name, value]) =>
      isNested(value)
        ? [`${name}:`, ...lines(value).map((line) => `  ${line}`)]
        : indented(padded(`${name}:`, width + 2), lines(value)),
    )
    .concat(rest(present));
}

const isNested = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.values(value).some((inner) => inner !== undefined);

function indented(first: string, [head = '', ...rest]: readonly string[]): string[] {
  return [first + head, ...rest.map((line) => ' '.repeat(widthOf(first)) + line)];
}

type Row = Readonly<Record<string, unknown>>;

/** Records whose fields are all simple; more columns than this would not fit a line. */
function isTable(items: readonly unknown[]): items is readonly Row[] {
  if (!items.every(isRecord)) return false;
  const { length } = columnsOf(items);
  return length > 0 && length <= MOST_COLUMNS && items.every((row) => Object.values(row).every(isCell));
}

const MOST_COLUMNS = 8;

const isCell = (value: unknown) => typeof value !== 'object' || value === null;

const columnsOf = (rows: readonly Row[]) => [...new Set(rows.flatMap((row) => Object.keys(row)))];

function table(rows: readonly Row[]): string[] {
  const columns = columnsOf(rows);
  const cells = capped(rows).map((row) => columns.map((column) => cell(row[column])));
  const widths = columns.map((column, i) => widest([oneLine(column), ...cells.map((row) => row[i]!)]));
  // Numbers are compared digit by digit, so they stand under each other.
  const isNumeric = columns.map((column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => (isNumeric[i] ? ' '.repeat(widths[i]! - widthOf(text)) + text : padded(text, widths[i]!)))
      .join('  ')
      .trimEnd();
  return [
    line(columns.map(oneLine)),
    widths.map((width) => '-'.repeat(width)).join('  '),
    ...cells.map(line),
    ...rest(rows),
  ];
}

/** More would be read by nobody, and the data is there as well. */
const MOST = 1000;

const capped = <T>(items: readonly T[]): readonly T[] => (items.length > MOST ? items.slice(0, MOST) : items);

const rest = (items: readonly unknown[]): string[] =>
  items.length > MOST ? [`… and ${items.length - MOST} more`] : [];

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, widthOf(text)), 0);
}

function cell(value: unknown): string {
  return value === null || value === undefined
    ? ''
    : oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

/** A line break inside a cell or a name would break the lines around it. */
function oneLine(text: string): string {
  return text.includes('\n')
    ? text
        .split('\n')
        .map((line) => line.trim())
        .join(' ↵ ')
    : text;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Columns on a terminal: marks that join the letter before take none, East Asian letters and emoji two. */
function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += mark().test(letter) ? 0 : wide().test(letter) ? 2 : 1;
  return width;
}

/** Made when they are needed: to look up what letters there are takes V8 longer than most of a short process. */
const mark = () => /\p{Mark}|\u200d/u;
const wide = () => /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}/u;

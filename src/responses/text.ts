import { describeFile } from '../schema/file-form.ts';
import { isRecord } from '../schema/json-schema.ts';
import { isFileFunction } from './content/file-content.ts';
import { Page } from './page.ts';
import type { Described } from './profiles/profile.ts';
import { toCell, padded, widest, widthOf } from './columns.ts';

/** Limit in UTF-8 bytes: nobody reads more, the data is sent as well, and callers must not control our memory. */
const LONGEST = 64 * 1024;

/** A result as text: from the author's `describe` if there is one, else from the data. Never empty. */
export function textFor(data: unknown, fn?: Described, longest = LONGEST): string {
  return (
    fn?.describeResult?.(data) ??
    (fn && isFileFunction(fn) ? textOf(describeFile(data), longest) : undefined) ??
    (fn?.returned.kind === 'several' ? textOfSeveral(data, fn.returned, longest) : textOf(data, longest))
  );
}

/** Several values, each labelled with the description of its schema. */
function textOfSeveral(
  values: unknown,
  { schemas }: Extract<Described['returned'], { kind: 'several' }>,
  longest: number,
): string {
  const described = (values as readonly unknown[]).map((value, i): [string, unknown] => [
    schemas[i]?.json.description ?? `result${i}`,
    value,
  ]);
  const page = new Page(longest);
  putFields(page, described, TOP);
  return page.text;
}

/**
 * Formats any JSON value for people: objects line by line, lists of objects as tables. Text of more than `longest`
 * bytes is cut off and ends with "… and more".
 */
export function textOf(data: unknown, longest = LONGEST): string {
  if (data === undefined) return 'Done.';
  const page = new Page(longest);
  if (Array.isArray(data) && isTable(data)) {
    page.add(count(data.length));
    page.add('');
    putTable(page, data, TOP);
  } else put(page, data, TOP);
  return page.text;
}

const count = (n: number) => (n === 1 ? '1 item' : `${n} items`);

/** Where a value is written: the prefix of its first line, and of the lines that follow. */
interface Place {
  readonly first: string;
  readonly next: string;
  readonly depth: number;
}

const TOP: Place = { first: '', next: '', depth: 0 };

/** A wider indent would leave no room for the value. */
const WIDEST_INDENT = 80;

/** The limit for arguments too; deeper data is replaced by "…". */
const MAX_DEPTH = 64;

const inside = ({ first, next, depth }: Place, mark: string): Place => ({
  first: first + mark,
  next: (next + ' '.repeat(widthOf(mark))).slice(0, WIDEST_INDENT),
  depth: depth + 1,
});

function put(page: Page, value: unknown, place: Place): void {
  if (typeof value === 'string') return putLines(page, value.trim() === '' ? '(empty)' : value, place);
  if (value === null || value === undefined) return page.add(`${place.first}(none)`);
  if (typeof value !== 'object') return page.add(place.first + plain(value));
  if (place.depth > MAX_DEPTH) return page.add(`${place.first}…`);
  if (!Array.isArray(value)) return putFields(page, Object.entries(value), place);
  const items = value as readonly unknown[];
  if (isTable(items)) return putTable(page, items, place);
  if (items.length === 0) return page.add(`${place.first}(none)`);
  putEach(page, items, place, (item, at) => put(page, item, inside(at, '- ')));
}

function putLines(page: Page, text: string, { first, next }: Place): void {
  let prefix = first;
  for (let from = 0; from <= text.length && page.takesMore();) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    page.add(prefix + text.slice(from, to));
    prefix = next;
    from = to + 1;
  }
}

/** `name:  value`, aligned; nested values go below their name. */
function putFields(page: Page, entries: readonly (readonly [string, unknown])[], place: Place): void {
  const present = entries.filter(([, value]) => value !== undefined);
  if (present.length === 0) return page.add(`${place.first}(nothing)`);
  const simple = capped(present).filter(([, value]) => !isNested(value));
  const width = widest(simple.map(([name]) => toCell(name)));
  putEach(page, present, place, ([name, value], at) => {
    if (!isNested(value)) return put(page, value, inside(at, padded(`${toCell(name)}:`, width + 2)));
    page.add(`${at.first}${toCell(name)}:`);
    put(page, value, inside({ ...at, first: at.next }, '  '));
  });
}

/** Writes the items one by one, up to the limit. Only the first one continues the current line. */
function putEach<T>(page: Page, items: readonly T[], place: Place, write: (item: T, at: Place) => void): void {
  let at = place;
  for (const item of capped(items)) {
    if (!page.takesMore()) return;
    write(item, at);
    at = { ...place, first: place.next };
  }
  if (items.length > MAX_ROWS) page.add(place.next + rest(items));
}

const isNested = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.values(value).some((inner) => inner !== undefined);

type Row = Readonly<Record<string, unknown>>;

/** Whether all items are objects with primitive fields, few enough to fit in a line. */
function isTable(items: readonly unknown[]): items is readonly Row[] {
  if (!items.every(isRecord)) return false;
  const columns = columnsOf(items);
  return columns !== undefined && columns.length > 0 && items.every((row) => Object.values(row).every(isCell));
}

const MOST_COLUMNS = 8;

const isCell = (value: unknown) => typeof value !== 'object' || value === null;

/** Undefined if there are too many. */
function columnsOf(rows: readonly Row[]): readonly string[] | undefined {
  const columns = new Set<string>();
  for (const row of rows) {
    for (const name of Object.keys(row)) columns.add(name);
    if (columns.size > MOST_COLUMNS) return undefined;
  }
  return [...columns];
}

function putTable(page: Page, rows: readonly Row[], { first, next }: Place): void {
  const columns = columnsOf(rows) ?? [];
  const cells: string[][] = [];
  // Rows that will not fit on the page do not affect the width of columns.
  for (let room = page.room; cells.length < Math.min(rows.length, MAX_ROWS) && room > 0;) {
    const row = columns.map((column) => cell(rows[cells.length]![column]));
    for (const text of row) room -= text.length + 1;
    cells.push(row);
  }
  const widths = columns.map((column, i) => widest([toCell(column), ...cells.map((row) => row[i]!)]));
  // Numbers are right-aligned.
  const isNumeric = columns.map((column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => (isNumeric[i] ? ' '.repeat(widths[i]! - widthOf(text)) + text : padded(text, widths[i]!)))
      .join('  ')
      .trimEnd();
  page.add(first + line(columns.map(toCell)));
  page.add(next + widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of cells) {
    if (!page.takesMore()) return;
    page.add(next + line(row));
  }
  if (rows.length > MAX_ROWS) page.add(next + rest(rows));
}

/** Nobody reads more, and the data is sent as well. */
const MAX_ROWS = 1000;

const capped = <T>(items: readonly T[]): readonly T[] => (items.length > MAX_ROWS ? items.slice(0, MAX_ROWS) : items);

const rest = (items: readonly unknown[]) => `… and ${items.length - MAX_ROWS} more`;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return toCell(typeof value === 'string' ? value : plain(value));
}

/** JSON if the value has a JSON form, else its string form. */
function plain(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value));
}

/** Maximum width of a cell or a name. */
const WIDEST = 80;

/** Characters to look at: combining marks take no column, and a cell may consist of nothing else. */
const LOOKED_AT = 4 * WIDEST;

/** Shortens a cell or a name to one line of limited width; "…" replaces the rest. */
export function toCell(text: string): string {
  const isShort = text.length <= LOOKED_AT;
  // Drops half of a surrogate pair.
  const line = oneLine(isShort ? text : text.slice(0, LOOKED_AT).replace(/[\uD800-\uDBFF]$/, ''));
  if (isShort && line.length <= WIDEST && isAscii(line)) return line;
  let width = 0;
  let end = 0;
  let shown = 0;
  for (const character of line) {
    width += widthOfCharacter(character);
    if (width > WIDEST) return `${line.slice(0, shown)}…`;
    end += character.length;
    if (width < WIDEST) shown = end;
  }
  return isShort ? line : `${line.slice(0, shown)}…`;
}

/** A line break inside a cell or a name would break the layout. */
function oneLine(text: string): string {
  return text.includes('\n')
    ? text
        .split('\n')
        .map((line) => line.trim())
        .join(' ↵ ')
    : text;
}

export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

export function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, widthOf(text)), 0);
}

/** Width in terminal columns. */
export function widthOf(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

const isAscii = (text: string) => /^[ -~]*$/.test(text);

let marks: RegExp | undefined;
let wide: RegExp | undefined;

/** Combining marks take no column, East Asian characters and emoji take two. */
function widthOfCharacter(character: string): number {
  // Created on first use: V8 needs long to look up Unicode classes, compared with the rest of a short process.
  marks ??= /\p{Mark}|\u200d/u;
  wide ??= /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}/u;
  return marks.test(character) ? 0 : wide.test(character) ? 2 : 1;
}

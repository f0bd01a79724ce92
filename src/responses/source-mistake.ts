import { widthOf } from './columns.ts';

/** A position in a text. Both are counted from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Where a string stops being JSON. */
interface JsonMistake extends SourcePosition {
  readonly found: string;
}

const SPACE = /[ \t\n\r]*/y;
const VALUE =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;

/**
 * Finds the position of a syntax error, which JSON.parse does not always report. Scans once from left to right, with a stack of
 * open brackets. For strings that JSON.parse rejects.
 */
export function jsonMistake(text: string): JsonMistake {
  const open: ('{' | '[')[] = [];
  let at = 0;
  const take = (pattern: RegExp | string): boolean => {
    if (typeof pattern === 'string') {
      if (!text.startsWith(pattern, at)) return false;
      at += pattern.length;
      return true;
    }
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found !== undefined;
  };
  const space = () => take(SPACE);
  const key = () => take(STRING) && space() && take(':') && space();

  let expects: 'value' | 'next' = 'value';
  for (;;) {
    space();
    if (expects === 'value') {
      if (take('{')) {
        space();
        if (take('}')) expects = 'next';
        else {
          open.push('{');
          if (!key()) break;
        }
      } else if (take('[')) {
        space();
        if (take(']')) expects = 'next';
        else open.push('[');
      } else if (take(VALUE)) expects = 'next';
      else break;
      continue;
    }
    const container = open.at(-1);
    if (container === undefined) break;
    if (take(container === '{' ? '}' : ']')) open.pop();
    else if (take(',')) {
      space();
      if (container === '{' && !key()) break;
      expects = 'value';
    } else break;
  }
  const found = text.codePointAt(at);
  return {
    ...positionAt(text, at),
    found: found === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(found)),
  };
}

/** The position of an index into a text. */
export function positionAt(text: string, index: number): SourcePosition {
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** The same for people: the place, then the line with a caret below the character. */
export function explainJsonMistake(text: string): string {
  const mistake = jsonMistake(text);
  const [shown, caret] = markedLine(lineOf(text, mistake), mistake, 40);
  return `line ${mistake.line}, column ${mistake.column}: ${unexpected(mistake)}\n  ${shown}\n  ${caret}`;
}

export const unexpected = ({ found }: JsonMistake): string => `unexpected ${found.replace(/^the /, '')}`;

export const lineOf = (text: string, { line }: SourcePosition): string => text.split('\n', line).at(-1)!;

/** The number of a line, the line, and a caret below the column. */
export function codeFrame(line: string, position: SourcePosition): string {
  const [shown, caret] = markedLine(line, position, 80);
  const number = String(position.line);
  return `  ${number} | ${shown.trimEnd()}\n  ${' '.repeat(number.length)} | ${caret}`;
}

/** A long line is cut to so many characters on either side: a bundled file is one line. */
function markedLine(line: string, { column }: SourcePosition, most: number): readonly [line: string, caret: string] {
  const before = line.slice(Math.max(0, column - 1 - most), column - 1);
  const after = line.slice(column - 1, column - 1 + most);
  const cut = column - 1 > most ? '…' : '';
  const rest = line.length > column - 1 + most ? '…' : '';
  const start = printable(cut + before);
  return [`${start}${printable(after)}${rest}`, `${' '.repeat(widthOf(start))}^`];
}

/** A tab would move the caret, and other control characters the cursor. */
const printable = (text: string) => text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ');

/** Where a string stops being JSON, counted from 1. */
export interface JsonMistake {
  readonly line: number;
  readonly column: number;
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
  const before = text.slice(0, at).split('\n');
  const found = text.codePointAt(at);
  return {
    line: before.length,
    column: before.at(-1)!.length + 1,
    found: found === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(found)),
  };
}

import { SourceMap } from 'node:module';
import type { SourceMapPayload } from 'node:module';

/**
 * Puts compiled code on the lines of its source, so that stack traces name them. Source maps would do it too, but Node has to be
 * told to read them, and then reads those of every package.
 */
export function keepLines(code: string, map: SourceMapPayload): string {
  const origins = new SourceMap(map);
  const done: string[] = [];
  let pieces: string[] = [];
  let isCommented = false;
  const endLine = () => {
    done.push(pieces.join(' '));
    pieces = [];
    isCommented = false;
  };
  for (const [i, line] of code.split('\n').entries()) {
    const column = line.search(/\S/);
    if (column === -1) continue;
    const text = line.slice(column);
    const origin = originOf(origins, i, column);
    // Perhaps the last line of a template literal, which begins with text of it: nothing may be moved within it.
    if (!origin && text.includes('`')) return code;
    if (origin && origin.line > done.length) {
      while (done.length < origin.line) endLine();
      pieces.push(' '.repeat(origin.column) + text);
    } else {
      // The printer ends every statement with a semicolon, so a line can follow another, unless a comment ends that one.
      if (isCommented) endLine();
      pieces.push(text);
    }
    isCommented ||= text.includes('//');
  }
  endLine();
  return done.join('\n');
}

/** Where in the source something in the code comes from; undefined if nothing there comes from the source. */
function originOf(map: SourceMap, line: number, column: number): { line: number; column: number } | undefined {
  const entry = map.findEntry(line, column);
  if (!('originalLine' in entry) || entry.generatedLine !== line || entry.generatedColumn !== column) return undefined;
  return { line: entry.originalLine, column: entry.originalColumn };
}

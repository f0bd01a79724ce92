import { SourceMap } from 'node:module';
import type { SourceMapPayload } from 'node:module';

/**
 * Puts compiled code on the lines of its source, so that stack traces name them. Source maps would do it too, but Node has to be
 * told to read them, and then reads those of every package.
 */
export function keepLines(code: string, map: SourceMapPayload): string {
  const lines = code.split('\n');
  // Lines inside a template literal must stay as they are. Where one goes on, the number of backticks in a line is odd.
  if (lines.some((line) => line.split('`').length % 2 === 0)) return code;
  const origins = new SourceMap(map);
  let text = '';
  let at = 0;
  lines.forEach((line, i) => {
    const column = line.search(/\S/);
    if (column === -1) return;
    const origin = originOf(origins, i, column);
    if (origin && origin.line > at) {
      text += '\n'.repeat(origin.line - at) + ' '.repeat(origin.column) + line.trimStart();
      at = origin.line;
      return;
    }
    // The printer ends every statement with a semicolon, so a line can follow another, unless a comment ends that one.
    const isCommented = text.slice(text.lastIndexOf('\n') + 1).includes('//');
    text += (isCommented ? '\n' : ' ') + line.trimStart();
    if (isCommented) at++;
  });
  return text;
}

/** Where in the source something in the code comes from; undefined if nothing there comes from the source. */
function originOf(map: SourceMap, line: number, column: number): { line: number; column: number } | undefined {
  const entry = map.findEntry(line, column);
  if (!('originalLine' in entry) || entry.generatedLine !== line || entry.generatedColumn !== column) return undefined;
  return { line: entry.originalLine, column: entry.originalColumn };
}

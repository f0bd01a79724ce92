import type { Readable } from 'node:stream';

/**
 * Calls a listener for each line of a stream. Splits only at line feeds: since Node 24, readline also splits at U+2028
 * and U+2029, which may occur in JSON strings.
 */
export function eachLine(input: Readable, hear: (line: string) => void): void {
  let begun = '';
  input.setEncoding('utf8');
  input.on('data', (text: string) => {
    const lines = text.split('\n');
    begun += lines[0];
    for (const next of lines.slice(1)) {
      hear(begun);
      begun = next;
    }
  });
  input.once('end', () => {
    if (begun !== '') hear(begun);
  });
}

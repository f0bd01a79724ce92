import type { Readable } from 'node:stream';

/**
 * Calls a listener for each line of a stream. Splits only at line feeds: since Node 24, readline also splits at U+2028
 * and U+2029, which may occur in JSON strings.
 */
export function eachLine(input: Readable, onLine: (line: string) => void): void {
  let partial = '';
  input.setEncoding('utf8');
  input.on('data', (text: string) => {
    const lines = text.split('\n');
    partial += lines[0];
    for (const next of lines.slice(1)) {
      onLine(partial);
      partial = next;
    }
  });
  input.once('end', () => {
    if (partial !== '') onLine(partial);
  });
}

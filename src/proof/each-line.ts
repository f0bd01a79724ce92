import type { Readable } from 'node:stream';

/**
 * Hears each line of a stream. Only a line feed ends one: from Node 24 on, readline also ends them at U+2028 and U+2029,
 * which may stand within the strings of JSON.
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

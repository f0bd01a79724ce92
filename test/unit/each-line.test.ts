import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { eachLine } from '../../src/proof/each-line.ts';

it('a line ends with a line feed, and with nothing else', async () => {
  const text = 'a\u2028b\u2029c\u0085d\n\n{"x":"ü😀"}\nlast';
  for (const size of [1, 2, 3, 1000]) {
    const bytes = Buffer.from(text);
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    const input = Readable.from(parts, { objectMode: false });
    const heard: string[] = [];
    eachLine(input, (line) => heard.push(line));
    await finished(input);
    expect(heard).toEqual(text.split('\n'));
  }
});

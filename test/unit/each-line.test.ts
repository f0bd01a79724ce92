import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { linesOf } from '../../src/client/http-stream.ts';
import { linesOf as splitLines } from '../../src/console-server/lines-of.ts';
import { eachLine } from '../../src/proof/each-line.ts';
import { LineReader } from '../../src/wires/mcp/line-reader.ts';
import { MultipartParser } from '../../src/wires/multipart/parser.ts';
import { expectLinear } from '../kit/linear.ts';
import { proves } from '../promises.ts';

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

const streamOf = (bytes: readonly Buffer[]) => Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>;
const line = (size: number) => `${'x'.repeat(8 * size)}\n`;

/** What takes input apart while it arrives: its worst input of about this size, and what feeds it. */
const parsers: Record<string, [worst: (size: number) => string, feed: (bytes: readonly Buffer[]) => unknown]> = {
  'headers of parts': [(size) => `--b\r\nx: ${'\r'.repeat(size)}\r\n\r\n\r\n`.repeat(8), feedMultipart],
  ...Object.fromEntries(
    ['\r', '\r\n', '\r\n--', '\0'].map((text) => [
      `files of ${JSON.stringify(text)}`,
      [(size) => `--b\r\n\r\n${text.repeat(size)}\r\n--b--`, feedMultipart],
    ]),
  ),
  'lines of MCP over stdio': [line, (bytes) => bytes.forEach((byte) => stdio.read(byte))],
  'lines in the client': [line, (bytes) => Readable.from(linesOf(streamOf(bytes))).toArray()],
  'lines of the console': [line, (bytes) => bytes.forEach(splitLines(() => {}))],
};
const stdio = new LineReader({ maxLength: 4e6, maxDepth: 64, onLine: () => {}, onError: () => {} });

function feedMultipart(bytes: readonly Buffer[]): void {
  const parser = new MultipartParser('b');
  for (const byte of bytes) Array.from(parser.feed(byte));
}

it.each(Object.entries(parsers))(proves('file.multipart', 'byte by byte takes linear time: %s'), (_, [worst, feed]) =>
  expectLinear((size) => {
    const bytes = Array.from(Buffer.from(worst(size)), (byte) => Buffer.of(byte));
    return () => feed(bytes);
  }, 1000),
);

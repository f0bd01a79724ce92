import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { linesOf } from '../../src/client/http-stream.ts';
import { linesOf as splitLines } from '../../src/console-server/lines-of.ts';
import { eachLine } from '../../src/proof/each-line.ts';
import { LineReader } from '../../src/wires/mcp/line-reader.ts';
import { framesOf } from '../../src/wires/mcp/tasks/sse-frames.ts';
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

const ignore = () => {};
const streamOf = (bytes: readonly Buffer[]) => Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>;
const part = (text: string) => `--b\r\n${text}\r\n\r\n\r\n`;

/** Everything that takes input apart while it arrives: what feeds it, and its worst input of about this size. */
const parsers: Record<string, readonly [worst: (size: number) => string, feed: (bytes: readonly Buffer[]) => unknown]> =
  {
    'the headers of parts': [(size) => part(`x: ${'\r'.repeat(size)}`).repeat(8), feedMultipart],
    'what is almost a boundary': [(size) => part('') + '\r\n--'.repeat(size), feedMultipart],
    'lines of MCP over stdio': [
      (size) => `${'x'.repeat(8 * size)}\n`,
      (bytes) => {
        const reader = new LineReader({ maxLength: 4e6, maxDepth: 64, onLine: ignore, onError: ignore });
        for (const byte of bytes) reader.read(byte);
      },
    ],
    'lines of a stream, in the client': [
      (size) => `${'x'.repeat(8 * size)}\n`,
      async (bytes) => {
        for await (const _ of linesOf(streamOf(bytes))) ignore();
      },
    ],
    'events of a stream': [
      (size) => `data: ${'\n'.repeat(size)}${'x'.repeat(8 * size)}\n\n`,
      async (bytes) => {
        for await (const _ of framesOf(streamOf(bytes).getReader())) ignore();
      },
    ],
    'lines of the console': [(size) => `${'x'.repeat(8 * size)}\n`, (bytes) => bytes.forEach(splitLines(ignore))],
  };

function feedMultipart(bytes: readonly Buffer[]): void {
  const parser = new MultipartParser('b');
  for (const byte of bytes) for (const _ of parser.feed(byte)) ignore();
}

it.each(Object.keys(parsers))(proves('http.limits', 'byte by byte takes linear time: %s'), (name) => {
  const [worst, feed] = parsers[name]!;
  return expectLinear((size) => {
    const bytes = Array.from(Buffer.from(worst(size)), (byte) => Buffer.of(byte));
    return () => feed(bytes);
  }, 1000);
});

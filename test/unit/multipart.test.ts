import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MultipartParser } from '../../src/wires/multipart/parser.ts';
import { boundaryOf, readPartHeaders } from '../../src/wires/multipart/part-headers.ts';
import { expectLinear } from '../kit/linear.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';

interface Part {
  readonly headers: string;
  readonly data: Buffer;
}

/** The parts of a body that arrives in these chunks. */
function parse(chunks: readonly Uint8Array[], boundary = 'b'): { readonly parts: Part[]; readonly overhead: number } {
  const parser = new MultipartParser(boundary);
  const parts: { headers: string; data: Buffer }[] = [];
  let isOpen = false;
  for (const chunk of chunks) {
    for (const event of parser.feed(chunk)) {
      if (event === 'end') isOpen = false;
      else if ('headers' in event) {
        expect(isOpen).toBe(false);
        isOpen = true;
        parts.push({ headers: event.headers, data: Buffer.alloc(0) });
      } else {
        const part = parts.at(-1)!;
        part.data = Buffer.concat([part.data, event.data]);
      }
    }
  }
  parser.end();
  expect(isOpen).toBe(false);
  return { parts, overhead: parser.overhead };
}

function split(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const length = sizes[i % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

const write = (boundary: string, bodies: readonly Buffer[], before = '', after = '') =>
  Buffer.concat([
    Buffer.from(before),
    ...bodies.flatMap((body) => [Buffer.from(`--${boundary}\r\nx: y\r\n\r\n`), body, Buffer.from('\r\n')]),
    Buffer.from(`--${boundary}--${after}`),
  ]);

const BREAKS = ['\r', '\n', '-', '--', '\r\n', '\r\n-'];
/** Much of it looks like a boundary. */
const almost = (boundary: string) =>
  fc
    .array(fc.constantFrom(...BREAKS, `\r\n--${boundary.slice(0, -1)}`, 'x', boundary.slice(0, 1)), { maxLength: 40 })
    .map((texts) => Buffer.from(texts.join('')))
    .filter((body) => !Buffer.concat([Buffer.from('\r\n'), body]).includes(`\r\n--${boundary}`));

describe('multipart/form-data', () => {
  it(proves('file.multipart', 'any parts, in any chunks, come out as they went in'), () => {
    const boundary = 'abcab';
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            almost(boundary),
            fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
          ),
          { maxLength: 5 },
        ),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 }),
        fc.constantFrom('', 'preamble\r\n', '\r\n', '--\r\n', `--${boundary.slice(0, -1)}\r\n`),
        fc.constantFrom('', '\r\n', '\r\nepilogue', `\r\n--${boundary}`, '--'),
        (bodies, sizes, before, after) => {
          const bytes = write(boundary, bodies, before, after);
          const { parts, overhead } = parse(split(bytes, sizes), boundary);
          expect(parts.map(({ data }) => data.toString('hex'))).toEqual(bodies.map((body) => body.toString('hex')));
          // The line break before the body is not there.
          const content = bodies.reduce((sum, body) => sum + body.length, 0);
          expect(overhead).toBe(bytes.length - content + 2);
        },
      ),
      { numRuns: size(400, 3000) },
    );
  });

  it(proves('file.multipart', 'any bytes whatsoever are taken apart or refused'), () => {
    fc.assert(
      fc.property(almost('zz'), fc.uint8Array({ maxLength: 100 }), (first, second) => {
        try {
          parse([Buffer.from('--b\r\n'), first, second]);
        } catch (error) {
          expect((error as Error).message).toMatch(/^(it ends|a boundary|the headers)/);
        }
      }),
      { numRuns: size(300, 2000) },
    );
  });

  it.each([
    ['nothing', '', 'it ends before its last boundary'],
    ['no boundary', 'hello', 'it ends before its last boundary'],
    ['no last boundary', '--b\r\nx: y\r\n\r\nhello', 'it ends before its last boundary'],
    ['an end in the headers', '--b\r\nx: y', 'it ends before its last boundary'],
    ['a longer boundary', '--bc\r\n\r\n', 'a boundary is followed by something other than a line break'],
    ['one dash', '--b-\r\n\r\n', 'a boundary is followed by something other than a line break'],
    ['many spaces', `--b${' '.repeat(300)}`, 'a boundary is followed by too many spaces'],
    ['huge headers', `--b\r\n${'x'.repeat(9000)}`, 'the headers of a part are larger than 8192 bytes'],
    ['headers that never end', `--b\r\n${'x: y\r\n'.repeat(9000)}`, 'the headers of a part are larger than 8192 bytes'],
    ['a thousand and one parts', '--b\r\n\r\n\r\n'.repeat(1001), 'more than 1000 parts'],
  ])(proves('file.refused', '%s'), (_, body, message) => {
    expect(() => parse([Buffer.from(body)])).toThrow(message);
    expect(() => parse(split(Buffer.from(body), [1]))).toThrow(message);
  });

  it(proves('file.multipart', 'spaces after a boundary, no headers, and nothing at all'), () => {
    expect(parse([Buffer.from('--b \t\r\n\r\nx\r\n--b--')]).parts).toEqual([
      { headers: '\r\n', data: Buffer.from('x') },
    ]);
    expect(parse([Buffer.from('--b--')]).parts).toEqual([]);
  });
});

describe('the headers of a part', () => {
  const disposition = (rest: string) => readPartHeaders(`content-disposition: form-data; ${rest}\r\n\r\n`);

  it.each([
    ['name="a"', 'a', undefined],
    ['name=a; filename=b.txt', 'a', 'b.txt'],
    ['NAME="a"; FileName="b"', 'a', 'b'],
    ['name="a"; filename=""', 'a', ''],
    ['name="a%22b"; filename="c%22%0D%0Ad"', 'a"b', 'c"d'],
    ['name="a"; filename="b\\"c"', 'a', 'b"c'],
    ['name="a;b"; filename="c;d=e"', 'a;b', 'c;d=e'],
    ['name="Größe"; filename="日本.txt"', 'Größe', '日本.txt'],
    ['name="a"; filename="b"; filename*=UTF-8\'\'na%C3%AFve.txt', 'a', 'naïve.txt'],
    ['name="a"; filename="b"; filename*=UTF-8\'\'%FF', 'a', 'b'],
    ['name="a"; filename="b"; filename*=latin1\'\'c', 'a', 'b'],
    ['name="a"; name="b"', 'a', undefined],
    ['name="a"; filename="../../etc/passwd"', 'a', 'passwd'],
    ['name="a"; filename="C:\\dir\\b.txt"', 'a', 'b.txt'],
    ['name="a"; filename=".."', 'a', ''],
    ['name="a"; filename="x/.."', 'a', ''],
    ['name="a"; filename="b\u0000\u001b[31mc"', 'a', 'b[31mc'],
    [`name="a"; filename="${'x'.repeat(400)}"`, 'a', 'x'.repeat(255)],
    ['name="a"; filename*=UTF-8\'\'..%2F..%2Fb', 'a', 'b'],
  ])(proves('file.names', '%s'), (text, name, fileName) => {
    expect(disposition(text)).toEqual({ name, fileName, type: '' });
  });

  it.each(['', 'content-disposition: attachment; name="a"', 'content-disposition: form-data; filename="a"', 'x'])(
    proves('file.refused', 'a part without a name: %j'),
    (text) => {
      expect(() => readPartHeaders(text)).toThrow('a part has no Content-Disposition: form-data with a name');
    },
  );

  it.each([
    ['text/plain', 'text/plain'],
    ['Text/HTML; charset=utf-8', 'text/html; charset=utf-8'],
    ['nonsense', ''],
    ['a/b\u0000', ''],
    [`a/${'b'.repeat(300)}`, ''],
  ])(proves('file.names', 'the type %j'), (sent, type) => {
    const headers = `Content-Type: ${sent}\r\nContent-Disposition: form-data; name="a"\r\n\r\n`;
    expect(readPartHeaders(headers)).toEqual({ name: 'a', fileName: undefined, type });
  });

  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['multipart/form-data; charset=x; boundary="a b"', 'a b'],
    ['multipart/form-data', undefined],
    ['multipart/form-data; boundary=', undefined],
    ['multipart/form-data; boundary="a "', undefined],
    [`multipart/form-data; boundary=${'x'.repeat(71)}`, undefined],
    ['multipart/form-data; boundary="a\rb"', undefined],
  ])(proves('file.refused', 'the boundary of %j'), (type, boundary) => {
    expect(boundaryOf(type)).toBe(boundary);
  });

  it.each([';a="', ';a=\\"', '; ', '"\\'])(proves('file.multipart', 'headers full of %s take linear time'), (text) =>
    expectLinear((length) => {
      const headers = `content-disposition: form-data${text.repeat(length / text.length)}`;
      return () => expect(() => readPartHeaders(headers)).toThrow();
    }, 1000),
  );
});

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { defineResource } from 'everywire';
import type { ServeOptions } from 'everywire/node';
import { afterEach, describe, expect, it } from 'vitest';
import { asJson } from '../kit/as-json.ts';
import { fn, integer, object, string } from '../kit/functions.ts';
import { logged, startHost, stopHosts } from '../kit/host-app.ts';
import { dial, postText } from '../kit/raw.ts';
import { proves } from '../promises.ts';
import { startServing } from '../kit/served.ts';

const LETTERS = ['a', 'é', '漢', '😀', '"', '\\', '\n'];
const textOf = (length: number) => Array.from({ length }, (_, i) => LETTERS[(i * i) % LETTERS.length]).join('');

afterEach(async () => {
  const errors = [...logged];
  await stopHosts();
  expect(errors).toEqual([]);
});

const repeat = fn('Repeat', { input: object({ length: integer }), output: string }, ({ length }) => textOf(length));
const resources = [
  defineResource({ uri: 'text://x', name: 'Text', description: 'T', read: () => textOf(10_000) }),
  defineResource({ uri: 'bytes://x', name: 'Bytes', description: 'B', read: () => new Uint8Array(10_000) }),
];
const start = (options: ServeOptions = {}) => startHost({ functions: [repeat], resources }, options);

/** As it is on the wire: fetch would decode it. */
async function raw(url: string, coding?: string, method = 'GET', body?: string, more: object = {}) {
  const headers = { ...(coding !== undefined && { 'accept-encoding': coding }), ...more };
  const asked = request(url, { method, headers }).end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

const call = (url: string, length: number, coding?: string) =>
  raw(`${url}/functions/Repeat`, coding, 'POST', JSON.stringify({ length }));

const DECODERS = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync } as const;

describe('large responses', () => {
  it(proves('http.compression', 'have the same bytes for curl, fetch and Node, whatever their size'), async () => {
    const { url } = await start();
    for (const length of [0, 1, 1000, 4080, 4095, 4096, 4097, 100_000]) {
      const plain = await call(url, length);
      expect(JSON.parse(plain.bytes.toString())).toEqual({ result: textOf(length) });
      for (const coding of ['gzip', 'br'] as const) {
        const reply = await call(url, length, coding);
        const isLarge = plain.bytes.toString().length >= 4096;
        expect([length, reply.headers['content-encoding']]).toEqual([length, isLarge ? coding : undefined]);
        expect(reply.headers['content-length']).toBe(String(reply.bytes.length));
        expect(reply.headers.vary).toBe(isLarge ? 'Accept, Accept-Encoding' : 'Accept');
        expect((isLarge ? DECODERS[coding](reply.bytes) : reply.bytes).equals(plain.bytes)).toBe(true);
        if (isLarge) expect(reply.bytes.length).toBeLessThan(plain.bytes.length);
      }
      const fetched = await fetch(`${url}/functions/Repeat`, asJson({ length }));
      expect(Buffer.from(await fetched.arrayBuffer()).equals(plain.bytes)).toBe(true);
      const args = ['-s', '--compressed', '--json', JSON.stringify({ length }), `${url}/functions/Repeat`];
      const { stdout } = await promisify(execFile)('curl', args, { encoding: 'buffer' });
      expect(stdout.equals(plain.bytes)).toBe(true);
    }
  });

  it(proves('http.compression', 'are sent as they are to clients that do not accept it; caches are told'), async () => {
    const { url } = await start();
    for (const coding of [undefined, '', 'identity', 'deflate', 'gzip;q=0', 'gzip;q=0.1, identity;q=0.2', '*;q=0']) {
      const { headers, bytes } = await call(url, 5000, coding);
      expect(headers).toMatchObject({ vary: 'Accept, Accept-Encoding' });
      expect([coding, headers['content-encoding']]).toEqual([coding, undefined]);
      expect(headers['content-length']).toBe(String(bytes.length));
    }
  });

  it(proves('http.compression', 'of resources are compressed if they are text'), async () => {
    const { url } = await start();
    const text = await raw(`${url}/resources/text%3A%2F%2Fx`, 'br, gzip');
    expect([text.headers['content-encoding'], text.headers.vary]).toEqual(['br', 'Accept-Encoding']);
    expect(zlib.brotliDecompressSync(text.bytes).toString()).toBe(textOf(10_000));
    const bytes = await raw(`${url}/resources/bytes%3A%2F%2Fx`, 'br, gzip');
    const { 'content-encoding': coding, vary } = bytes.headers;
    expect([coding, vary, bytes.bytes.length]).toEqual([undefined, undefined, 10_000]);
  });

  it(proves('http.compression', 'have a weak ETag, which revalidates in every coding'), async () => {
    const { url } = await start();
    const codings = ['gzip', 'br', 'identity'];
    const replies = await Promise.all(codings.map((coding) => raw(`${url}/openapi.json?profiles=all`, coding)));
    const [etag] = new Set(replies.map(({ headers }) => headers.etag));
    expect(etag).toMatch(/^W\/"[0-9a-f]+"$/);
    for (const { headers } of replies) expect([headers.etag, headers.vary]).toEqual([etag, 'Accept-Encoding']);
    for (const coding of codings) {
      const again = await raw(`${url}/openapi.json?profiles=all`, coding, 'GET', undefined, { 'if-none-match': etag });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      expect([again.headers.etag, again.headers.vary]).toEqual([etag, 'Accept-Encoding']);
      expect(again.headers['content-encoding']).toBeUndefined();
    }
  });

  it(proves('http.compression', 'have the same head for HEAD as for GET, and no body'), async () => {
    const { url } = await start();
    for (const coding of ['gzip', 'identity']) {
      const ask = (method: string) => raw(`${url}/openapi.json?profiles=all`, coding, method);
      const [head, whole] = await Promise.all([ask('HEAD'), ask('GET')]);
      expect(head.bytes.length).toBe(0);
      const { date: _, ...rest } = whole.headers;
      expect(head.headers).toMatchObject(rest);
    }
  });

  it(proves('http.compression', 'keep what CORS says of Vary'), async () => {
    const { url } = await start({ cors: { origins: ['https://app.example'] } });
    const { headers } = await raw(`${url}/openapi.json?profiles=all`, 'gzip', 'GET', undefined, { origin: url });
    expect(headers.vary?.toLowerCase().split(', ')).toEqual(['origin', 'accept-encoding']);
  });

  it(proves('http.compression', 'of many clients at once are whole, and none is lost'), async () => {
    const { url } = await start();
    const replies = await Promise.all(Array.from({ length: 200 }, () => call(url, 50_000, 'gzip')));
    const expected = JSON.stringify({ result: textOf(50_000) });
    for (const { headers, bytes } of replies) {
      const text = headers['content-encoding'] === 'gzip' ? zlib.gunzipSync(bytes) : bytes;
      expect(text.toString() === expected).toBe(true);
    }
    expect(replies.some(({ headers }) => headers['content-encoding'] === 'gzip')).toBe(true);
  });

  it(proves('http.compression', 'may be abandoned by the client, or be the last before the server stops'), async () => {
    const host = await start();
    const asked = (coding: string) => postText('/functions/Repeat', '{"length":100000}', `Accept-Encoding: ${coding}`);
    for (let i = 0; i < 20; i++) {
      const { socket, rest } = dial(host.url);
      await once(socket, 'connect');
      socket.write(asked('gzip'));
      setTimeout(() => socket.resetAndDestroy(), i);
      await rest();
    }
    const last = call(host.url, 100_000, 'gzip');
    const pipelined = dial(host.url);
    pipelined.socket.write(asked('gzip') + asked('identity'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const drained = host.drain();
    expect(zlib.gunzipSync((await last).bytes).toString()).toBe(JSON.stringify({ result: textOf(100_000) }));
    expect((await pipelined.rest()).match(/HTTP\/1\.1 \d+/g)).toHaveLength(2);
    expect(await drained).toBe(true);
  });

  it(proves('http.compression', 'begin where the option says, or never'), async () => {
    const early = await start({ compression: { from: 10 } });
    expect((await call(early.url, 20, 'gzip')).headers['content-encoding']).toBe('gzip');
    expect((await raw(`${early.url}/healthz`, 'gzip')).headers['content-encoding']).toBe('gzip');
    const never = await start({ compression: false });
    const { headers } = await raw(`${never.url}/openapi.json?profiles=all`, 'gzip');
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
    const served = await startServing('examples/calculator/app.ts', '--no-compression');
    expect((await raw(`${served.url}/openapi.json?profiles=all`, 'gzip')).headers['content-encoding']).toBeUndefined();
    await served.stop();
  });
});

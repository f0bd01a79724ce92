import { inspect } from 'node:util';
import { createApp, forms, type App } from 'everywire';
import { createClient, type ClientCallOptions, type ClientOptions } from 'everywire/client';
import { serve, type NodeHost } from 'everywire/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../access/issuer.ts';
import uploads from '../apps/uploads.ts';
import { fn, integer, object } from '../kit/functions.ts';
import { proves } from '../promises.ts';

const LARGE = 3_000_000;
const LIMIT = 1_000_000;
const DEFAULT_LIMIT = 16 * 1024 * 1024;
const TOO_LARGE = {
  code: 'PAYLOAD_TOO_LARGE',
  message: `The file is larger than ${LIMIT} bytes (maxBufferedFile): only stream() can read it`,
};

let host: NodeHost;
beforeAll(async () => void (host = await serve(uploads, { port: 0 })));
afterAll(() => host.drain());

async function zeros(size: number, options?: ClientCallOptions, limit: ClientOptions = { maxBufferedFile: LIMIT }) {
  const client = createClient<typeof uploads>(host.url, limit);
  const outcome = await client.call('Zeros', { size }, options);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.data;
}

/** How many streams the server has ended. */
async function ended(): Promise<number> {
  const outcome = await createClient<typeof uploads>(host.url).call('Returned');
  return outcome.ok ? outcome.data : NaN;
}

async function lengthOf(file: File): Promise<number> {
  let length = 0;
  for await (const chunk of file.stream()) length += chunk.length;
  return length;
}

const attachment = { 'content-type': 'Text/Plain', 'content-disposition': 'attachment; filename="../a.txt"' };
const INCOMPLETE = { code: 'UNAVAILABLE', message: expect.stringMatching(/^The file is incomplete: /) as string };

/** A client of a server that sends the same file to every request. */
const answering = (body: string, headers: Record<string, string>, maxBufferedFile = LIMIT) =>
  createClient('http://localhost', { fetch: async () => new Response(body, { headers }), maxBufferedFile });

describe('a file within the limit', () => {
  it(proves('file.lazy', 'is in memory, and can be read again'), async () => {
    const file = await zeros(1000);
    expect([file.size, (await file.text()).length, (await file.arrayBuffer()).byteLength]).toEqual([1000, 1000, 1000]);
    expect([await lengthOf(file), await new Blob([file]).slice(1).text()]).toEqual([1000, '\0'.repeat(999)]);
    expect((await zeros(LIMIT)).size).toBe(LIMIT);
    expect((await zeros(DEFAULT_LIMIT, {}, {})).size).toBe(DEFAULT_LIMIT);
    expect((await zeros(DEFAULT_LIMIT + 1, {}, {})).size).toBe(NaN);
    expect((await zeros(LARGE, {}, { maxBufferedFile: Infinity })).size).toBe(LARGE);
    expect((await zeros(0, {}, { maxBufferedFile: 0 })).size).toBe(0);
  });

  it(proves('file.lazy', 'that is incomplete is a failure'), async () => {
    await using server = await startServer((_request, response) => {
      response.writeHead(200, { ...attachment, 'content-length': 100 });
      response.write('abc', () => response.destroy());
    });
    expect(await createClient(server.url).call('F')).toMatchObject({ error: { ...INCOMPLETE, retry: true } });
  });

  it.each([
    ['longer', '1'],
    ['shorter', '100'],
  ])(proves('file.lazy', 'that is %s than its Content-Length is a failure'), async (_title, length) => {
    const headers = { ...attachment, 'content-length': length };
    const message = `The file does not have the ${length} bytes of its Content-Length`;
    const error = { code: 'INVALID_RESPONSE_FORMAT', message };
    expect(await answering('abc', headers).call('F')).toMatchObject({ error });
    // The length of a compressed body is not that of the file.
    const unzipping = answering('abc', { ...headers, 'content-encoding': 'gzip' }, 1);
    const outcome = await unzipping.call('F');
    expect(outcome.ok && (outcome.data as File).size).toBe(NaN);
    expect(outcome.ok && (await lengthOf(outcome.data as File))).toBe(3);
  });

  it(proves('file.lazy', 'has a name without folders'), async () => {
    await using server = await startServer((_request, response) => response.writeHead(200, attachment).end('abc'));
    for (const maxBufferedFile of [10, 0]) {
      const outcome = await createClient(server.url, { maxBufferedFile }).call('F');
      expect(outcome).toMatchObject({ ok: true, data: { name: 'a.txt', type: 'text/plain' } });
    }
  });
});

describe('a larger file', () => {
  it(proves('file.lazy', 'is a File that is received while it is read, once'), async () => {
    const file = await zeros(LARGE);
    expect(file).toBeInstanceOf(File);
    expect([file.name, file.type, file.size]).toEqual(['zeros.bin', 'application/x-zeros', NaN]);
    expect(inspect(file)).toContain("name: 'zeros.bin'");
    expect(await lengthOf(file)).toBe(LARGE);
    expect(() => file.stream()).toThrow(
      new TypeError(`The file is larger than ${LIMIT} bytes (maxBufferedFile), and stream() was called before`),
    );
  });

  it(proves('file.lazy', 'has the size of its Content-Length'), async () => {
    const client = createClient<typeof uploads>(host.url, { maxBufferedFile: 1 });
    const outcome = await client.call('Echo', { file: new File(['abc'], 'a.txt') });
    if (!outcome.ok) throw new Error(outcome.error.message);
    await expect(outcome.data.text()).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect([outcome.data.size, await new Response(outcome.data.stream()).text()]).toEqual([3, 'abc']);
  });

  it(proves('file.lazy', 'is refused by everything that needs it in memory, and can be read then'), async () => {
    const file = await zeros(LARGE);
    await expect(file.arrayBuffer()).rejects.toMatchObject(TOO_LARGE);
    await expect(file.text()).rejects.toMatchObject(TOO_LARGE);
    await expect((file as unknown as { bytes(): Promise<unknown> }).bytes()).rejects.toMatchObject(TOO_LARGE);
    const text = () => String(file as unknown);
    for (const use of [() => file.slice(0, 1), () => new Blob([file]), () => new File([file], 'a'), text])
      expect(use).toThrow(TOO_LARGE.message);
    expect(() => structuredClone(file)).toThrow(/could not be cloned/);
    expect(() => URL.createObjectURL(file)).toThrow(TypeError);
    for (const address of [host.url, `${host.url}/openapi.json`, `${host.url}/mcp`]) {
      const client = createClient<typeof uploads>(address);
      const outcome = await client.call('Hash', { file }).catch((thrown: unknown) => ({ error: thrown }));
      expect(outcome).toMatchObject({ error: TOO_LARGE });
      await client.close();
    }
    expect(await lengthOf(file)).toBe(LARGE);
  });

  it(proves('file.lazy', 'fails in the middle if the server dies'), async () => {
    await using server = await startServer((_request, response) => {
      response.writeHead(200, attachment);
      response.write(Buffer.alloc(100_000));
      setTimeout(() => response.destroy(), 100);
    });
    const outcome = await createClient(server.url, { maxBufferedFile: 10 }).call('F');
    await expect(lengthOf((outcome as { data: File }).data)).rejects.toMatchObject(INCOMPLETE);
  });

  it(proves('file.lazy', 'fails in the middle if its Content-Length is wrong'), async () => {
    const outcome = await answering('abcdefgh', { ...attachment, 'content-length': '5' }, 1).call('F');
    await expect(lengthOf((outcome as { data: File }).data)).rejects.toMatchObject({ code: 'INVALID_RESPONSE_FORMAT' });
  });

  it(proves('file.lazy', 'ends with the signal and the time limit of its call'), async () => {
    const before = await ended();
    const controller = new AbortController();
    const cancelled = (await zeros(200_000_000, { signal: controller.signal })).stream().getReader();
    await cancelled.read();
    controller.abort();
    await expect(readAll(cancelled)).rejects.toMatchObject({ code: 'CANCELLED', message: 'Cancelled by the caller' });
    // Also before anybody reads it.
    const late = await zeros(200_000_000, { timeout: 2000 });
    await expect.poll(ended, { timeout: 20_000 }).toBe(before + 2);
    const expired = { code: 'TIMEOUT', message: 'The file did not arrive in time' };
    await expect(readAll(late.stream().getReader())).rejects.toMatchObject(expired);
  });

  it(proves('file.lazy', 'ends with the loop that reads it'), async () => {
    const before = await ended();
    for await (const _chunk of (await zeros(200_000_000)).stream()) break;
    await (await zeros(200_000_000)).stream().cancel();
    await expect.poll(ended, { timeout: 20_000 }).toBe(before + 2);
  });

  it(proves('file.lazy', 'that a function returns is passed on while it is received'), async () => {
    const about = { ...forms.file, description: 'The file' } as const;
    const pass = fn('Pass', { input: object({ size: integer }), output: about }, ({ size }) =>
      zeros(size, {}, { maxBufferedFile: 10 }),
    );
    const length = fn('Length', { input: object({ file: about }), output: integer }, ({ file }) => lengthOf(file));
    const app = createApp({ name: 'Gateway', version: '1', functions: [pass, length], limits: { file: 1000 } });
    const gateway = await serve(app as App, { port: 0 });
    const client = createClient<typeof app>(gateway.url);
    const outcome = await client.call('Pass', { size: LARGE });
    expect(outcome.ok && (await lengthOf(outcome.data))).toBe(LARGE);
    // Where it must be in memory, the limit of the app counts.
    const inProcess = await app.call('Pass', { size: 999 });
    expect(inProcess.ok && inProcess.data.size).toBe(999);
    expect(await app.call('Pass', { size: 1001 })).toMatchObject({ error: { code: 'NOT_ACCEPTABLE' } });
    // An argument whose size nobody knows may be too large.
    const file = await zeros(999, {}, { maxBufferedFile: 10 });
    expect(await app.call('Length', { file })).toMatchObject({ error: { code: 'PAYLOAD_TOO_LARGE' } });
    await file.stream().cancel();
    await gateway.drain();
  });
});

async function readAll(reader: ReadableStreamDefaultReader): Promise<void> {
  while (!(await reader.read()).done);
}

it.each([-1, NaN, '10' as never])(proves('file.lazy', 'maxBufferedFile must be a number: %s'), (maxBufferedFile) => {
  expect(() => createClient('http://localhost', { maxBufferedFile })).toThrow(
    `maxBufferedFile must be a number of bytes, not ${maxBufferedFile}`,
  );
});

it(proves('file.bounded', 'app.fetch takes no more of an upload than the limit'), async () => {
  const functions = uploads.functions.map(({ definition }) => definition);
  const app = createApp({ name: 'Small', version: '1', functions, limits: { file: 1_000_000 } }) as App;
  let taken = 0;
  let isCancelled = false;
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(Buffer.from(head)),
      pull(controller) {
        taken += 10_000;
        controller.enqueue(new Uint8Array(10_000));
      },
      cancel: () => void (isCancelled = true),
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  const response = await app.fetch(new Request('http://localhost/functions/Hash', init));
  expect([response.status, isCancelled]).toEqual([413, true]);
  expect(taken).toBeLessThan(1_050_000);
});

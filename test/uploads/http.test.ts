import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createApp, forms, type App, type AuditRecord } from 'everywire';
import { serve, toNodeHandler, type NodeHost } from 'everywire/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiskSpool } from '../../src/hosts/disk-spool.ts';
import { startServer, type Server } from '../access/issuer.ts';
import uploads from '../apps/uploads.ts';
import { asJson } from '../kit/as-json.ts';
import { fn, object, silent, string } from '../kit/functions.ts';
import { dial, postText, raw, requestText } from '../kit/raw.ts';
import { startServing } from '../kit/served.ts';
import { proves } from '../promises.ts';

const exec = promisify(execFile);

const LIMIT = 100_000;
const FILE = { ...forms.file, description: 'A file' };
const logged: { readonly message: string; readonly fields: Record<string, unknown> }[] = [];
const records: AuditRecord[] = [];

const failing = (error?: Error) => new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(error) });
const uncancellable = { cancel: () => Promise.reject(new Error('it cannot be cancelled')) };
const broken = {
  missing: () => createReadStream('/no/such/file'),
  reset: () => failing(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })),
  silent: () => failing(),
  uncancellable: () => new ReadableStream<Uint8Array>(uncancellable),
};

/** The same functions with small limits, and one that takes no files. */
const app: App = createApp({
  name: 'Small',
  version: '1.0.0',
  functions: [
    ...uploads.functions.map(({ definition }) => definition),
    fn('Slow', {}, () => new Promise(() => {})),
    fn('NoFiles', {}, () => {}),
    fn(
      'Broken',
      {
        http: { method: 'GET' },
        hints: { readOnly: true },
        input: object({ profile: { ...string, enum: Object.keys(broken) } }),
        output: FILE,
      },
      ({ profile }) => ({ type: 'image/png\n;x', stream: broken[profile as keyof typeof broken]() }),
    ),
    fn('Secret', { input: object({ file: FILE, pin: { ...string, writeOnly: true } }) }, () => {}),
  ],
  limits: { file: LIMIT, body: 20_000 },
  audit: { to: (record) => void records.push(record), arguments: true },
  log: { ...silent, error: (message, fields = {}) => void logged.push({ message, fields: { ...fields } }) },
}) as App;

type Send = (path: string, init?: RequestInit) => Promise<Response>;

let host: NodeHost;
let embedded: Server;
const hosts: Record<string, Send> = {
  serve: (path, init) => fetch(host.url + path, init),
  toNodeHandler: (path, init) => fetch(embedded.url + path, init),
  async 'app.fetch'(path, init) {
    const request = new Request(`http://localhost${path}`, init);
    // As bytes: a form that is cancelled is a rejection that nobody can catch since Node 24 (nodejs/undici#5835).
    return app.fetch(new Request(request, request.body ? { body: await request.clone().arrayBuffer() } : {}));
  },
};
const names = Object.keys(hosts);

beforeAll(async () => {
  host = await serve(app, { port: 0 });
  embedded = await startServer(toNodeHandler(app));
});
afterAll(async () => {
  await host.drain();
  await embedded[Symbol.asyncDispose]();
});

function form(...fields: readonly (readonly [string, string | File])[]): RequestInit {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value as string);
  return { method: 'POST', body };
}

const multipart = (body: string, type = 'multipart/form-data; boundary=b'): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
});
const NOT_UTF8 = Buffer.from('--b\r\ncontent-disposition: form-data; name="note"\r\n\r\n\xff\r\n--b--', 'latin1');

/** The beginning of a form with a file, and of a request for it, as bytes for a socket. */
const START = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
const uploadText = (length: number, body: string) =>
  requestText('POST /functions/Hash', [
    'host: localhost',
    `content-length: ${length}`,
    'content-type: multipart/form-data; boundary=b',
  ]) + body;

const text = (size: number, name = 'a.txt', type = 'text/plain') => new File(['x'.repeat(size)], name, { type });

/** Uploaded files that this process still has open, and those with a name. */
function left(): string[] {
  const named = readdirSync(tmpdir()).filter((name) => name.startsWith('everywire-upload-'));
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.includes('everywire-upload-') ? [target] : [];
    } catch {
      return [];
    }
  });
  return [...named, ...open];
}

const nothingLeft = () => expect.poll(left, { timeout: 5000 }).toEqual([]);

describe.each(names)('an upload to %s', (name) => {
  const send: Send = (path, init) => hosts[name]!(path, init);
  const call = async (called: string, init: RequestInit) => {
    const response = await send(`/functions/${called}`, init);
    return [response.status, await response.json()] as const;
  };

  it(proves('file.everywhere', 'reaches the function as a File'), async () => {
    const hello = new File(['hello\n'], 'grüße "1".txt', { type: 'text/plain' });
    expect(await call('Hash', form(['note', 'x'], ['file', hello], ['times', '3']))).toEqual([
      200,
      {
        result: {
          name: 'grüße "1".txt',
          type: 'text/plain',
          size: 6,
          sha256: '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03',
          note: 'x',
          times: 3,
        },
      },
    ]);
  });

  it(proves('file.everywhere', 'larger than what is kept in memory, with another file after it'), async () => {
    const body = form(['files', text(70_000, 'one')], ['files', text(20, 'two')], ['meta.thumbnail', text(5, 'three')]);
    expect(await call('Names', body)).toEqual([200, { result: ['one', 'two', 'three'] }]);
    const echoed = await send('/functions/Echo', form(['file', text(90_000)]));
    expect(await echoed.text()).toBe('x'.repeat(90_000));
    await nothingLeft();
  });

  it(proves('file.everywhere', 'can be text for the file, a form, or JSON'), async () => {
    const json = JSON.stringify({ name: 'a/b.txt', data: 'aGk=' });
    const [, { result }] = await call('Hash', form(['file', json]));
    expect(result).toMatchObject({ name: 'b.txt', size: 2 });
    expect((await call('Hash', asJson(`{"file":${json}}`)))[1]).toEqual({ result });
  });

  it(proves('file.everywhere', 'an empty field of a browser is no file'), async () => {
    const nothing = new File([], '', { type: 'application/octet-stream' });
    expect(await call('Names', form(['files', text(1)], ['cover', nothing]))).toEqual([200, { result: ['a.txt'] }]);
    // An empty file with a name is one.
    expect((await call('Hash', form(['file', new File([], 'empty')])))[1]).toMatchObject({ result: { size: 0 } });
  });

  it.each([
    ['two files for one', 'Hash', form(['file', text(1)], ['file', text(1)]), '/file: given 2 times, expected file'],
    ['text for a file', 'Hash', form(['file', 'x']), '/file: expected file, got "x"'],
    ['a file for text', 'Hash', form(['file', text(1)], ['note', text(1)]), '/note: expected string, got a file'],
    ['a file and text', 'Names', form(['files', text(1)], ['files', 'x']), '/files: given as a file and as text'],
    ['no file', 'Hash', form(['note', 'x']), '/file: required, expected file'],
    [
      'another type',
      'Names',
      form(['files', text(1)], ['cover', text(1)]),
      '/cover: Invalid input: expected "image/png"',
    ],
    ['base64 that is none', 'Hash', form(['file', '{"data":"?"}']), '/file/data: expected base64 string, got "?"'],
  ])(proves('file.refused', '%s'), async (_, called, init, message) => {
    expect(await call(called, init)).toEqual([400, { error: `Invalid arguments: ${message}` }]);
  });

  it(proves('file.everywhere', 'files that nothing describes are dropped'), async () => {
    expect((await call('Hash', form(['file', text(1)], ['other', text(1)])))[0]).toBe(200);
    expect(await call('NoFiles', form(['file', text(1)]))).toMatchObject([415, {}]);
  });

  it.each([
    ['no boundary', multipart(`${START}x\r\n--b--`, 'multipart/form-data'), 'its Content-Type has no valid boundary'],
    ['an end in the middle', multipart(`${START}x`), 'it ends before its last boundary'],
    ['text that is not UTF-8', { ...multipart(''), body: NOT_UTF8 }, '"note" is not UTF-8'],
  ])(proves('file.refused', '%s'), async (_, init, message) => {
    expect(await call('Hash', init)).toEqual([400, { error: `Invalid multipart/form-data: ${message}` }]);
    await nothingLeft();
  });

  it.each([
    ['a file', form(['file', text(LIMIT + 1)]), `The files are larger than ${LIMIT} bytes`],
    [
      'files together',
      form(['file', text(LIMIT - 10)], ['other', text(20)]),
      `The files are larger than ${LIMIT} bytes`,
    ],
    ['a file beyond everything', form(['file', text(LIMIT * 4)]), `The files are larger than ${LIMIT} bytes`],
    ['text', form(['file', text(1)], ['note', 'x'.repeat(20_001)]), 'The body is larger than 20000 bytes'],
    ['a preamble', multipart(`${'x'.repeat(30_000)}\r\n${START}x\r\n--b--`), 'The body is larger than 20000 bytes'],
    ['an epilogue', multipart(`${START}x\r\n--b--${'x'.repeat(30_000)}`), 'The body is larger than 20000 bytes'],
  ])(proves('file.refused', '%s that is too large'), async (_, init, message) => {
    expect(await call('Hash', init)).toEqual([413, { error: message }]);
    await nothingLeft();
  });

  it(proves('file.everywhere', 'exactly at the limit'), async () => {
    expect((await call('Hash', form(['file', text(LIMIT)])))[0]).toBe(200);
  });
});

describe('an upload', () => {
  it.each(['', postText('/functions/Slow')])(
    proves('file.removed', 'of a client that disconnects is removed, and the server goes on; behind: %j'),
    async (before) => {
      const whole = `${START}${'x'.repeat(70_000)}\r\n--b--`;
      for (const { url } of [host, embedded, host]) {
        const { socket } = dial(url);
        if (before) socket.write(before + uploadText(whole.length, whole));
        socket.write(uploadText(99_000, START + 'x'.repeat(70_000)));
        await expect.poll(() => left().length).toBe(before ? 2 : 1);
        socket.destroy();
        await nothingLeft();
      }
      expect((await fetch(`${host.url}/functions/Hash`, form(['file', text(1)]))).status).toBe(200);
    },
  );

  it(proves('file.removed', 'of a process that is killed is removed'), async () => {
    const { url, child } = await startServing('test/apps/uploads.ts');
    const { socket } = dial(url);
    socket.write(uploadText(9_000_000, START + 'x'.repeat(1_000_000)));
    const files = () => readdirSync(`/proc/${child.pid}/fd`).map((fd) => readlinkSync(`/proc/${child.pid}/fd/${fd}`));
    await expect.poll(files, { timeout: 5000 }).toContainEqual(expect.stringMatching(/everywire-upload-.*deleted/));
    child.kill('SIGKILL');
    await once(child, 'exit');
    socket.destroy();
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('everywire-upload-'))).toEqual([]);
  });

  it(proves('file.refused', 'too large: the connection stays usable, unless the client never stops'), async () => {
    const { socket, text: answers, rest } = dial(host.url);
    const answered = (words: string) => expect.poll(answers, { timeout: 5000 }).toContain(words);
    const body = `${START}${'x'.repeat(150_000)}\r\n--b--`;
    socket.write(uploadText(body.length, body));
    await answered('413 Payload Too Large');
    const small = `${START}x\r\n--b--`;
    socket.write(uploadText(small.length, small));
    await answered('"size":1');
    socket.write(uploadText(1e9, START));
    const more = setInterval(() => socket.write('x'.repeat(100_000)), 5);
    expect((await rest()).match(/413 Payload/g)).toHaveLength(2);
    clearInterval(more);
    await nothingLeft();
  });

  it(proves('file.removed', 'that is too slow is refused and removed'), async () => {
    const functions = uploads.functions.map(({ definition }) => definition);
    const limits = { requestTimeout: 1000, headersTimeout: 500 };
    const slow = await serve(createApp({ name: 'Slow', version: '1', functions, limits }) as App, { port: 0 });
    expect(await raw(slow.url, uploadText(99_000, START + 'x'.repeat(70_000)))).toContain('408 Request Timeout');
    await nothingLeft();
    await slow.drain();
  });

  it(proves('file.multipart', 'by curl, which asks before it sends'), async () => {
    const file = ['-F', 'file=@package.json;type=text/x'];
    const args = ['-sS', '-H', 'Expect: 100-continue', ...file, `${host.url}/functions/Hash`];
    const { stdout } = await exec('curl', args);
    expect(JSON.parse(stdout)).toMatchObject({ result: { name: 'package.json', type: 'text/x' } });
  });

  it(proves('file.recorded', 'is recorded without its bytes'), async () => {
    records.length = 0;
    const secret = (init: RequestInit) => fetch(`${host.url}/functions/Secret`, init);
    await secret(form(['file', text(7)], ['pin', 's3cret']));
    await secret(asJson('{"file":{"name":"b","data":"c2VjcmV0"},"pin":"s3cret"}'));
    await secret(asJson('{"file":{"name":{"x":"s3cret"},"data":"c2VjcmV0!"}}'));
    expect(records.map((record) => record.arguments)).toEqual([
      { file: { name: 'a.txt', type: 'text/plain', size: 7 }, pin: '[redacted]' },
      { file: { name: 'b', type: '', size: 6 }, pin: '[redacted]' },
      { file: { name: '', type: '', size: 6 } },
    ]);
    expect(JSON.stringify([records, logged])).not.toMatch(/c2VjcmV0|s3cret|xxxxxxx/);
    records.length = 0;
    await (await fetch(`${host.url}/functions/Text`, asJson({ text: 'abc' }))).text();
    expect(records[0]).toMatchObject({ code: 'OK', bytes: 3 });
  });
});

describe.each(names)('a file from %s', (name) => {
  const send: Send = (path, init) => hosts[name]!(path, init);
  const post = (called: string, input: object, headers: Record<string, string> = {}) =>
    send(`/functions/${called}`, asJson(input, headers));

  it.each(['file', 'blob', 'bytes', 'stream', 'node'])(proves('file.raw', 'returned as %s'), async (as) => {
    const response = await post('Text', { text: 'grün', as });
    expect([response.status, await response.text()]).toEqual([200, 'grün']);
    expect(response.headers.get('content-type')).toBe(as === 'bytes' ? 'application/octet-stream' : 'text/plain');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-length')).toBe(['stream', 'node'].includes(as) ? null : '5');
  });

  it.each([
    ['a.txt', 'attachment; filename="a.txt"'],
    ['', 'attachment'],
    ['a b;c.txt', 'attachment; filename="a b;c.txt"'],
    ['50%.txt', `attachment; filename="50_.txt"; filename*=UTF-8''50%25.txt`],
    ['"; x="y', `attachment; filename="_; x=_y"; filename*=UTF-8''%22%3B%20x%3D%22y`],
    ["grün'(1)*.txt", `attachment; filename="gr_n'(1)*.txt"; filename*=UTF-8''gr%C3%BCn%27%281%29%2A.txt`],
    ['a\r\nset-cookie: x', `attachment; filename="a__set-cookie: x"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20x`],
    ['日本', `attachment; filename="__"; filename*=UTF-8''%E6%97%A5%E6%9C%AC`],
  ])(proves('file.names', 'with the name %j'), async (fileName, expected) => {
    const response = await post('Text', { text: 'x', name: fileName });
    expect(response.headers.get('content-disposition')).toBe(expected);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it.each(['nonsense', 'text/html\r\nset-cookie: x', 'a/b; c="\u{1F600}"', 'x'.repeat(300)])(
    proves('file.names', 'with the type %j'),
    async (type) => {
      const response = await post('Text', { text: 'x', type, as: 'stream' });
      expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null]);
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
    },
  );

  it.each([
    [undefined, true],
    ['*/*', true],
    ['image/png', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['application/octet-stream, application/json;q=0.9', true],
    ['application/json;q=0, */*', true],
    ['application/json', false],
    ['application/json, */*', false],
    ['application/json;q=0.5, */*;q=0.1', false],
    ['application/json; profile=plain', false],
  ])(proves('file.raw', 'for Accept: %s'), async (accept, isRaw) => {
    const response = await post('Text', { text: 'x' }, accept === undefined ? {} : { accept });
    const json = '{"result":{"name":"text.txt","type":"text/plain","data":"eA=="}}';
    expect(await response.text()).toBe(isRaw ? 'x' : json);
    expect(response.headers.get('vary')).toContain('Accept');
  });

  it(proves('file.raw', 'in a profile that the query asks for'), async () => {
    const response = await send('/functions/Text?profile=status', asJson({ text: 'x' }));
    expect(await response.json()).toMatchObject({ status: 'SUCCESS', data: { data: 'eA==' } });
  });

  it(proves('file.raw', 'is a failure in JSON if there is none, whatever Accept says'), async () => {
    const response = await post('Text', { text: 'x', as: 'nothing' }, { accept: 'image/png' });
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: 'Invalid output: expected a file, got "no file"' },
    ]);
    expect((await post('Text', {}, { accept: 'image/png' })).status).toBe(400);
  });

  it.each(['file', 'stream'])(proves('file.raw', 'too large for JSON is 406 (%s)'), async (as) => {
    const large = { text: 'x'.repeat(19_000), as };
    expect((await post('Text', large, { accept: 'application/json' })).status).toBe(200);
    const response = await send(`/functions/Zeros?size=${LIMIT + 1}`, { headers: { accept: 'application/json' } });
    expect(response.status).toBe(406);
    expect(await response.text()).toContain(`The file is larger than ${LIMIT} bytes, too large for JSON`);
  });

  it(proves('file.raw', 'inside a result is JSON, up to the limit'), async () => {
    expect(await (await post('Inside', { size: 3 })).json()).toEqual({
      result: { title: 'abc', file: { name: 'a.txt', type: 'text/plain', data: 'YWFh' } },
    });
    const large = await post('Inside', { size: LIMIT + 1 });
    expect([large.status, await large.json()]).toEqual([
      500,
      { error: `Invalid output: the files are larger than ${LIMIT} bytes together` },
    ]);
  });

  it(proves('file.raw', 'to GET and HEAD has no ETag, and no range'), async () => {
    const response = await send('/functions/Zeros?size=10', { headers: { range: 'bytes=0-1', 'if-none-match': '*' } });
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, 10]);
    expect([response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([null, 'no-cache']);
    const before = await ended();
    const head = await send('/functions/Zeros?size=10', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-disposition')).toBe('attachment; filename="zeros.bin"');
    expect(await ended()).toBe(before); // it never began
  });

  it.each([
    ['GET', 'missing', /^ENOENT/],
    ['GET', 'reset', /^read ECONNRESET/],
    ['GET', 'silent', /^The stream of a file failed, and does not say why/],
    ['HEAD', 'uncancellable', /^it cannot be cancelled/],
  ])(proves('file.broken', '%s that is %s ends in a log'), async (method, profile, message) => {
    logged.length = 0;
    const response = await send(`/functions/Broken?profile=${profile}`, { method });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
    if (method === 'GET') await expect(response.text()).rejects.toThrow();
    await expect.poll(() => logged).toMatchObject([{ message: expect.stringMatching(message) }]);
  });

  // Elsewhere, a disconnect cancels the stream.
  const title = proves('file.streamed', 'that nobody reads any more is no error');
  if (name === 'app.fetch')
    it(title, async () => {
      logged.length = 0;
      const reader = (await send('/functions/Broken?profile=uncancellable')).body!.getReader();
      const reading = reader.read();
      await reader.cancel();
      expect(await reading).toMatchObject({ done: true });
      await sleep(0);
      expect(logged).toMatchObject([{ message: 'it cannot be cancelled' }]);
    });

  async function ended(): Promise<number> {
    const { result } = (await (await post('Returned', {})).json()) as { result: number };
    return result;
  }

  it(proves('file.streamed', 'is cancelled if the client disconnects, and never read ahead'), async () => {
    const before = await ended();
    const controller = new AbortController();
    const response = await send('/functions/Zeros?size=1000000000000', { signal: controller.signal });
    const reader = response.body!.getReader();
    await reader.read();
    await sleep(50);
    if (name === 'app.fetch') await reader.cancel();
    else controller.abort();
    await expect.poll(ended, { timeout: 5000 }).toBe(before + 1);
  });

  it(proves('file.broken', 'that breaks is cut off'), async () => {
    logged.length = 0;
    const response = await send('/functions/Zeros?size=1000000&failAfter=300000');
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
    await expect.poll(() => logged.length).toBeGreaterThan(0);
    expect(logged).toMatchObject([{ message: 'the source broke' }]);
    expect(String(logged[0]!.fields['stack'])).toContain('zerosOf');
  });

  it(proves('file.broken', 'that breaks is a failure in JSON'), async () => {
    logged.length = 0;
    const response = await send('/functions/Zeros?size=1000&failAfter=0', { headers: { accept: 'application/json' } });
    expect([response.status, await response.json()]).toEqual([500, { error: 'the source broke' }]);
    expect(logged).toMatchObject([{ message: 'the source broke' }]);
  });
});

it.runIf(process.platform === 'linux')(proves('file.multipart', 'single bytes are written in few pieces'), async () => {
  /** Writes of this process so far; other tests may write meanwhile, but not a thousand times. */
  const writes = () => Number(/syscw: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))![1]);
  for (const size of [1000, 65_536, 200_001]) {
    const before = writes();
    const spool = new DiskSpool();
    const byte = new Uint8Array(1);
    for (let i = 0; i < size; i++) {
      byte[0] = i % 251;
      await spool.write(byte);
    }
    const bytes = new Uint8Array(await (await spool.end()).arrayBuffer());
    expect([bytes.length, bytes.every((one, i) => one === i % 251)]).toEqual([size, true]);
    expect(writes() - before).toBeLessThan(1000);
    await spool.dispose();
  }
});

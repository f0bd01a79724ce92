import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, type ClientHttp2Session } from 'node:http2';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type } from 'arktype';
import { createApp, forms, type App, type Failed, type FileHandle, type Middleware } from 'everywire';
import { createClient, type Client } from 'everywire/client';
import { serve, type NodeHost } from 'everywire/node';
import { wireFactsOf } from 'everywire/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import app from '../apps/uploads.ts';
import { canCertify, createCertificate } from '../kit/certificates.ts';
import { expectErrors } from '../kit/errors.ts';
import { shownBy } from '../kit/on-terminal.ts';
import { fn, integer, object } from '../kit/functions.ts';
import { legacy, only, tool } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { cgi, command } from '../kit/command.ts';
import { parseCgi } from '../wires/cgi.ts';
import { run } from '../wires/cli.ts';

expectErrors(/"message":"(?:Invalid output: expected a file, got|the source broke)/);

const exec = promisify(execFile);
const folder = temporaryFolder('files');
const MODULE = 'test/apps/uploads.ts';
const definitions = app.functions.map(({ definition }) => definition);

let host: NodeHost;
const clients: Record<string, Client<typeof app>> = {};
beforeAll(async () => {
  host = await serve(app, { port: 0 });
  clients['HTTP'] = createClient(host.url);
  clients['MCP'] = createClient(`${host.url}/mcp`);
  clients['an OpenAPI document'] = createClient(`${host.url}/openapi.json`);
});
afterAll(async () => {
  for (const client of Object.values(clients)) await client.close();
  await host.drain();
});

const hello = new File(['hello\n'], 'grüße "1".txt', { type: 'text/plain' });
const HELLO = '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03';

describe.each(['HTTP', 'MCP', 'an OpenAPI document'])('the client over %s', (wire) => {
  it(proves('file.everywhere', 'sends files'), async () => {
    const client = clients[wire]!;
    const { name } = hello;
    // Line breaks of strings stay as they are.
    const outcome = await client.call('Hash', { file: hello, note: 'a\nb\r\n"c"', times: 3 });
    expect(outcome).toMatchObject({ ok: true, data: { name, size: 6, sha256: HELLO, note: 'a\nb\r\n"c"', times: 3 } });
    const several = { files: [hello, hello], meta: { thumbnail: hello } };
    expect(await client.call('Names', several)).toEqual({ ok: true, data: [name, name, name] });
    // A form cannot express an empty list.
    expect(await client.call('Names', { files: [], meta: { thumbnail: hello } })).toEqual({ ok: true, data: [name] });
  });

  it(proves('file.everywhere', 'receives files'), async () => {
    const client = clients[wire]!;
    for (const file of [hello, new File([Uint8Array.of(0, 255, 13, 10)], 'a.png', { type: 'image/png' })]) {
      const outcome = await client.call('Echo', { file });
      if (!outcome.ok) throw new Error(outcome.error.message);
      const { data } = outcome;
      expect(data).toBeInstanceOf(File);
      expect([data.name, data.type]).toEqual([file.name, file.type]);
      expect(new Uint8Array(await data.arrayBuffer())).toEqual(new Uint8Array(await file.arrayBuffer()));
    }
    const inside = await client.call('Inside', {});
    expect(inside.ok && (await inside.data.file.text())).toBe('aaa');
    expect(await client.call('Text', { text: 'x', as: 'nothing' })).toMatchObject({ ok: false });
  });
});

describe('in process', () => {
  it(proves('file.everywhere', 'a file is passed on unread'), async () => {
    const outcome = await app.call('Echo', { file: hello });
    expect(outcome.ok && outcome.data).toBe(hello);
  });

  it(proves('file.broken', 'a stream that breaks is a failure'), async () => {
    const outcome = await app.call('Zeros', { size: 10, failAfter: 1 });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR', message: 'the source broke' } });
  });

  it(proves('file.everywhere', 'arktype describes files, too'), async () => {
    const input = type({ file: type('File').describe('a file') });
    const size = fn('Size', { input, output: integer }, ({ file }) => file.size);
    const small = createApp({ name: 'A', version: '1', functions: [size], limits: { file: 5 } });
    expect(await small.call('Size', { file: new File(['abc'], 'a') })).toEqual({ ok: true, data: 3 });
    expect(await small.call('Size', { file: new File(['abcdef'], 'a') })).toMatchObject({
      error: { code: 'PAYLOAD_TOO_LARGE', message: 'The files are larger than 5 bytes' },
    });
  });

  it(proves('file.raw', 'middleware sees an unread file, and may replace it'), async () => {
    const seen: unknown[] = [];
    const replace: Middleware = async (_call, next) => {
      const outcome = await next();
      if (!outcome.ok) return outcome;
      const { name, size } = outcome.data as FileHandle;
      seen.push([name, size]);
      return { ok: true, data: new File(['replaced'], 'b') };
    };
    const replacing = createApp({ name: 'M', version: '1', functions: definitions, middleware: [replace] }) as App;
    const outcome = await replacing.call('Echo', { file: hello });
    expect(outcome.ok && (await (outcome.data as File).text())).toBe('replaced');
    const { body } = await replacing.respond({ name: 'Text', input: { text: 'x' } }, 'plain');
    expect(body).toBe('{"result":{"name":"b","data":"cmVwbGFjZWQ="}}');
    expect(seen).toEqual([
      [hello.name, 6],
      ['text.txt', undefined],
    ]);
  });
});

describe('MCP', () => {
  const resource = (mimeType: string, content: object) => ({
    type: 'resource',
    resource: { uri: 'file:///a%20b', mimeType, ...content },
  });
  it.each([
    ['image/png', { type: 'image', data: 'eA==', mimeType: 'image/png' }],
    ['audio/wav', { type: 'audio', data: 'eA==', mimeType: 'audio/wav' }],
    ['text/plain', resource('text/plain', { text: 'x' })],
    ['application/ld+json', resource('application/ld+json', { text: 'x' })],
    ['application/zip', resource('application/zip', { blob: 'eA==' })],
  ])(proves('file.everywhere', 'a file of type %s is content'), async (mimeType, block) => {
    const call = tool('Text', { text: 'x', type: mimeType, name: 'a b' });
    expect((await only(legacy(host.url, call))).result).toEqual({
      content: [block],
      isError: false,
      _meta: { 'everywire/file': { name: 'a b', type: mimeType } },
    });
  });

  it(proves('file.everywhere', 'a tool that returns a file has no outputSchema'), async () => {
    const { tools } = (await only(legacy(host.url, { method: 'tools/list' }))).result;
    const described = tools.flatMap(({ name, outputSchema }: any) => (outputSchema ? [name] : []));
    expect(described).toEqual(['functions.Hash', 'functions.Names', 'functions.Returned', 'functions.Inside']);
  });

  it(proves('file.raw', 'a file that is too large is a failed tool result'), async () => {
    const small = createApp({ name: 'S', version: '1', functions: definitions, limits: { file: 10 } }) as App;
    const { outcome } = await small.respond({ name: 'Zeros', input: { size: 11 } }, 'mcp');
    expect(outcome).toMatchObject({ ok: false, error: { code: 'NOT_ACCEPTABLE' } });
    expect(wireFactsOf(outcome as Failed)).toMatchObject({ mcp: 'result', status: 406 });
  });
});

describe.concurrent('the command line', () => {
  const call = (...args: string[]) => command(['call', MODULE, ...args]);
  const file = join(folder, 'hello.txt');
  writeFileSync(file, 'hello\n');

  it(proves('file.command', 'opens @file, and reads @- from stdin'), async () => {
    const { stdout } = await call('Hash', '--file', `@${file}`, '--times', '2');
    expect(JSON.parse(stdout)).toEqual({
      result: { name: 'hello.txt', type: 'text/plain', size: 6, sha256: HELLO, times: 2 },
    });
    const piped = await command(['call', MODULE, 'Hash', '--file', '@-'], { input: 'hello\n' });
    expect(JSON.parse(piped.stdout)).toMatchObject({ result: { name: '', size: 6, sha256: HELLO } });
    const flags = ['--files', `@${file}`, '--files', '@package.json', '--meta.thumbnail', `@${file}`];
    const several = await call('Names', ...flags);
    expect(several.stdout).toBe('{"result":["hello.txt","package.json","hello.txt"]}');
    const json = await call('Hash', '--file', '{"name":"j","data":"aGVsbG8K"}');
    expect(JSON.parse(json.stdout)).toMatchObject({ result: { name: 'j', sha256: HELLO } });
  });

  it(proves('file.command', 'a pipe of the shell is a file'), async () => {
    const line = `${process.execPath} dist/bin/everywire.js call ${MODULE} Hash --file @<(echo hello)`;
    const { stdout } = await exec('bash', ['-c', line]);
    expect(JSON.parse(stdout)).toMatchObject({ result: { size: 6, sha256: HELLO } });
  });

  it.each([
    ['@nowhere', 'cannot read "nowhere"'],
    ['@test', 'cannot read "test"'],
    ['nowhere', 'expected a file as @path, got "nowhere"'],
    ['{"data":1}', undefined],
  ])(proves('file.command', 'refuses %s'), async (given, message) => {
    const { stdout, code } = await call('Hash', '--file', given);
    expect(code).toBe(2);
    if (message) expect(JSON.parse(stdout)).toEqual({ error: `Invalid arguments: /file: ${message}` });
  });

  it(proves('file.command', 'help says what a flag takes'), async () => {
    const { stdout } = await call('Names', '--help');
    expect(stdout).toMatch(/--files <@file> +The files \(required, repeatable\)/);
    expect(stdout).toMatch(/--cover <@file> +A picture/);
    expect(stdout).toContain('names --files @file');
  });

  it(proves('file.command', 'writes the result with --out'), async () => {
    const out = join(folder, 'out.bin');
    writeFileSync(out, 'before');
    expect(await call('Text', '--text', 'grün', '--out', out)).toMatchObject({ stdout: '', code: 0 });
    expect(readFileSync(out, 'utf8')).toBe('grün');
    // Any other result: the exact body.
    const body = join(folder, 'body.json');
    expect(await call('Returned', '--out', body)).toMatchObject({ stdout: '', code: 0 });
    expect(readFileSync(body, 'utf8')).toBe('{"result":0}');
    expect(await call('Zeros', '--size', '3', '--out', '-')).toMatchObject({ stdout: '\0\0\0', code: 0 });
    expect(await call('Zeros', '--size', '3', '--out', '/dev/null')).toMatchObject({ stdout: '', code: 0 });
  });

  it(proves('file.command', 'leaves the old file if the new one is not whole'), async () => {
    const place = join(folder, 'kept');
    mkdirSync(place);
    const out = join(place, 'a.bin');
    writeFileSync(out, 'before');
    const { code, stderr } = await call('Zeros', '--size', '1000000', '--failAfter', '300000', '--out', out);
    expect([code, readFileSync(out, 'utf8'), readdirSync(place)]).toEqual([70, 'before', ['a.bin']]);
    expect(stderr).toContain('the source broke');
    // A failure writes nothing.
    const failed = await call('Text', '--text', 'x', '--as', 'nothing', '--out', join(place, 'b'));
    expect([failed.code, existsSync(join(place, 'b'))]).toEqual([70, false]);
  });

  it.each([
    ['no/such/folder/x', 'there is no folder "no/such/folder"'],
    ['test', '"test" is a folder'],
  ])(proves('file.command', '--out %s is refused before the call'), async (out, message) => {
    const { stdout, code } = await call('Text', '--text', 'x', '--out', out);
    expect([stdout, code]).toEqual([JSON.stringify({ error: `--out: ${message}` }), 2]);
  });

  it(proves('file.command', 'shows no bytes on a terminal'), async () => {
    const line = `${process.execPath} dist/bin/everywire.js call ${MODULE} Text --text x`;
    expect((await shownBy(line)).trim()).toBe(
      '"text.txt" (text/plain, 1 byte) is not shown; save it with --out <file>',
    );
  });
});

describe.concurrent('CGI', () => {
  const variables = (body: Uint8Array, name: string) => ({
    REQUEST_METHOD: 'POST',
    PATH_INFO: `/functions/${name}`,
    CONTENT_TYPE: 'multipart/form-data; boundary=b',
    CONTENT_LENGTH: String(body.length),
    TMPDIR: process.env['TMPDIR'] ?? '/tmp',
  });
  const part = (content: string, end = '\r\n--b--') =>
    Buffer.from(`--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${content}${end}`);

  it(proves('file.everywhere', 'takes files'), async () => {
    const body = part('x'.repeat(200_000));
    const { stdout, stderr } = await cgi(MODULE, variables(body, 'Hash'), body);
    const sha256 = createHash('sha256').update('x'.repeat(200_000)).digest('hex');
    expect([JSON.parse(parseCgi(stdout).body), stderr]).toEqual([
      { result: { name: 'a.txt', type: '', size: 200_000, sha256 } },
      '',
    ]);
  });

  it(proves('file.raw', 'returns files'), async () => {
    const body = part('hello');
    const { headers, body: answer } = parseCgi((await cgi(MODULE, variables(body, 'Echo'), body)).stdout);
    expect(answer).toBe('hello');
    expect(headers).toMatchObject({ 'content-length': '5', 'content-disposition': 'attachment; filename="a.txt"' });
  });

  it.each([
    ['form', part('hello', ''), 0, 'Invalid multipart/form-data: it ends before its last boundary'],
    ['body', part('hello'), 1, 'The body could not be read'],
  ])(proves('file.refused', 'refuses a %s that is cut off'), async (_what, body, missing, error) => {
    const request = { ...variables(body, 'Echo'), CONTENT_LENGTH: String(body.length + missing) };
    expect(parseCgi((await cgi(MODULE, request, body)).stdout)).toMatchObject({
      status: 400,
      body: JSON.stringify({ error }),
    });
  });
});

interface Document {
  readonly paths: Record<
    string,
    { post: { requestBody: { content: object }; responses: { 200: { content: object } } } }
  >;
}

describe('OpenAPI', () => {
  it.each(['3.1', '3.0'])(proves('file.openapi', 'version %s'), async (version) => {
    const response = await fetch(`${host.url}/openapi.json?version=${version}`);
    const { paths } = (await response.json()) as Document;
    const { requestBody, responses } = paths['/functions/Echo']!.post;
    const media = version === '3.1' && { contentMediaType: 'application/octet-stream' };
    const binary = { type: 'string', format: 'binary', ...media };
    expect(Object.keys(requestBody.content)).toEqual(['application/json', 'multipart/form-data']);
    expect(requestBody.content).toMatchObject({
      'multipart/form-data': { schema: { properties: { file: { ...binary, description: 'The file' } } } },
    });
    expect(Object.keys(responses[200].content)).toEqual(['application/json', 'application/octet-stream']);
    expect(responses[200].content).toMatchObject({ 'application/octet-stream': { schema: binary } });
    expect(Object.keys(paths['/functions/Returned']!.post.responses[200].content)).toEqual(['application/json']);
  });
});

it(proves('file.everywhere', 'everywire parity compares apps with files'), async () => {
  const args = ['dist/bin/everywire.js', 'parity', 'examples/files/app.ts', '--calls', '60'];
  const { stdout, stderr, code } = await run(args);
  expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('all alike')]);
});

it(proves('file.everywhere', 'examples are checked'), () => {
  const parts = { input: object({ file: { ...forms.file, description: 'd' } }, []), output: z.file().describe('d') };
  const build = (input: unknown) => () => {
    const examples = [{ input, output: { data: 'eA==' } }];
    createApp({ name: 'E', version: '1', functions: [fn('F', { ...parts, examples }, () => new Uint8Array())] });
  };
  expect(build({ file: { data: 'eA==' } })).not.toThrow();
  expect(build({ file: { data: '?' } })).toThrow('examples[0].input/file/data: expected base64 string, got "?"');
});

describe.runIf(canCertify)('HTTP/2', () => {
  let two: NodeHost;
  let session: ClientHttp2Session;
  beforeAll(async () => {
    const small = createApp({
      name: 'Two',
      version: '1.0.0',
      functions: definitions,
      limits: { file: 1_000_000, body: 10_000 },
    });
    two = await serve(small as App, { port: 0, tls: createCertificate() });
    session = connect(two.url, { rejectUnauthorized: false });
  });
  afterAll(async () => {
    session?.destroy();
    await two?.drain();
  });

  async function upload(name: string, size: number) {
    const stream = session.request({
      ':method': 'POST',
      ':path': `/functions/${name}`,
      'content-type': 'multipart/form-data; boundary=b',
    });
    stream.on('error', () => {});
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n');
    stream.end(Buffer.concat([Buffer.alloc(size, 'x'), Buffer.from('\r\n--b--')]));
    const ended = once(stream, 'end');
    const [headers] = (await once(stream, 'response')) as [Record<string, string>];
    await ended;
    return { status: headers[':status'], body: Buffer.concat(chunks) };
  }

  it(proves('file.everywhere', 'takes files and returns them'), async () => {
    const { status, body } = await upload('Echo', 900_000);
    expect([status, body.length]).toEqual([200, 900_000]);
  });

  it(proves('file.refused', 'refuses what is too large, and goes on'), async () => {
    const { status, body } = await upload('Hash', 3_000_000);
    expect([status, String(body)]).toEqual([413, '{"error":"The files are larger than 1000000 bytes"}']);
    expect((await upload('Hash', 3)).status).toBe(200);
  });
});

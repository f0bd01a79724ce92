import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createApp } from 'everywire';
import { serve, toNodeHandler } from 'everywire/node';
import { createClient } from 'everywire/client';
import { afterAll, describe, expect, it } from 'vitest';
import app from '../apps/rest.ts';
import { canCertify, createCertificate } from '../kit/certificates.ts';
import { cgi } from '../kit/command.ts';
import { fn, silent, string } from '../kit/functions.ts';
import { problemsOf } from '../kit/parts.ts';
import { proves } from '../promises.ts';
import { parseCgi } from '../wires/cgi.ts';

type Ask = (method: string, path: string, body?: string, headers?: Record<string, string>) => Promise<Seen>;
type Seen = { status: number; body: string; headers: Readonly<Record<string, string>> };

const JSON_TYPE = { 'content-type': 'application/json' };
const seen = async (response: Response): Promise<Seen> => ({
  status: response.status,
  body: await response.text(),
  headers: Object.fromEntries(response.headers),
});

const host = await serve(app, { port: 0 });
const handler = toNodeHandler(app);
const around = createServer((request, response) => {
  const { url = '' } = request;
  // As Express does below app.use('/api', …).
  if (url.startsWith('/api/')) Object.assign(request, { originalUrl: url, baseUrl: '/api', url: url.slice(4) });
  handler(request, response);
}).listen(0, '127.0.0.1');
await new Promise((listening) => around.once('listening', listening));
const secure = canCertify ? await serve(app, { port: 0, tls: createCertificate() }) : undefined;
const session = secure && connect(secure.url, { rejectUnauthorized: false });
afterAll(async () => {
  session?.destroy();
  await secure?.drain();
  await host.drain();
  around.close();
});

const over =
  (send: (request: Request) => Promise<Response>, base: string): Ask =>
  async (method, path, body, headers) =>
    seen(
      await send(
        new Request(base + path, { method, headers: { ...(body && JSON_TYPE), ...headers }, ...(body && { body }) }),
      ),
    );

async function overCgi(
  method: string,
  path: string,
  body = '',
  headers: Record<string, string> = {},
  script = '',
): Promise<Seen> {
  const [file = '', query = ''] = path.split('?');
  const variables = {
    REQUEST_METHOD: method,
    PATH_INFO: file,
    QUERY_STRING: query,
    SCRIPT_NAME: script,
    CONTENT_LENGTH: String(Buffer.byteLength(body)),
    ...(body && { CONTENT_TYPE: 'application/json' }),
    ...Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [`HTTP_${name.toUpperCase().replaceAll('-', '_')}`, value]),
    ),
  };
  return parseCgi((await cgi('test/apps/rest.ts', variables, Buffer.from(body))).stdout);
}

async function http2(method: string, path: string, body = '', headers: Record<string, string> = {}): Promise<Seen> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const sentHeaders = { ...(body && JSON_TYPE), ...(Object.fromEntries(lower) as Record<string, string>) };
  const stream = session!.request({ ':method': method, ':path': path, ...sentHeaders }, { endStream: body === '' });
  const answered = new Promise<Record<string, string>>((resolve) => {
    stream.once('response', (received) => resolve(received as Record<string, string>));
  });
  if (body !== '') stream.end(body);
  const [received, sent] = await Promise.all([answered, text(stream)]);
  return { status: Number(received[':status']), body: sent, headers: received };
}

const wires: Record<string, Ask> = {
  ...(secure && { http2 }),
  http: over(fetch, host.url),
  fetch: over(async (request) => app.fetch(request), 'http://localhost'),
  toNodeHandler: over(fetch, `http://127.0.0.1:${(around.address() as AddressInfo).port}`),
  cgi: overCgi,
};

describe('below a base', () => {
  const functions = app.functions.map(({ definition }) => definition);
  const access = { url: 'https://example.com/api', scopes: 'public' } as const;
  const proxied = createApp({ name: 'Rest', version: '1.0.0', log: silent, functions, access });
  const ways: Record<string, Ask> = {
    'app.fetch': over(async (request) => app.fetch(request, { base: '/api' }), 'http://localhost/api'),
    'access.url': over(async (request) => proxied.fetch(request), 'http://localhost'),
    Express: over(fetch, `http://127.0.0.1:${(around.address() as AddressInfo).port}/api`),
    CGI: async (method, path, body) => overCgi(method, path, body, {}, '/api'),
  };
  it.each(Object.entries(ways))(proves('http.headers', 'Location begins with it: %s'), async (_way, ask) => {
    expect((await ask('POST', '/items', '{"name":"a"}')).headers['location']).toBe('/api/items/a');
    expect((await ask('POST', '/items', '{"name":"other"}')).headers['location']).toBe('//example.com/a');
  });
});

it(proves('http.methods', 'the code for Next.js exports all of them'), () => {
  const exported = /^export \{ handle as .*/m.exec(readFileSync('docs/embedding.md', 'utf8'))?.[0];
  for (const { http } of app.functions) expect(exported).toContain(`as ${http.method}`);
});

describe.each(Object.entries(wires))('over %s', (_name, ask) => {
  it(proves('http.methods', 'PUT and PATCH take a body, DELETE a query'), async () => {
    const [put, patched] = [
      await ask('PUT', '/items/3', '{"name":"a"}'),
      await ask('PATCH', '/items/3', '{"name":"b"}'),
    ];
    expect(put).toMatchObject({ status: 200, body: '{"result":"replaced 3 a"}' });
    expect(patched).toMatchObject({ status: 202, body: '{"result":"changed 3 b"}' });
    expect(await ask('PUT', '/functions/Replace', '{"id":3,"name":"a"}')).toMatchObject({ status: 200 });
    expect(await ask('POST', '/functions/Replace', '{"id":3,"name":"a"}')).toMatchObject({ status: 200 });
    expect(await ask('DELETE', '/items/7')).toMatchObject({ status: 409, body: '{"error":"It is used"}' });
    expect(await ask('DELETE', '/items/7?force=true')).toMatchObject({ status: 204, body: '' });
    expect(await ask('DELETE', '/items/7', '{"force":true}')).toMatchObject({ status: 400 });
    const refused = await ask('POST', '/items/7', '{}');
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'PUT, PATCH, DELETE, GET, HEAD, OPTIONS']);
  });

  it(proves('http.status', '201, 202 and 204 for successes, and failures as ever'), async () => {
    const { status, body, headers } = await ask('POST', '/items', '{"name":"a"}');
    expect([status, body, headers['content-type']]).toEqual([201, '{"result":"a"}', 'application/json']);
    expect(await ask('POST', '/functions/Create', '{"name":"a"}')).toMatchObject({ status: 201 });
    expect((await ask('POST', '/items', '{"name":"none"}')).status).toBe(404);
    expect((await ask('POST', '/items', '{}')).status).toBe(400);
    const removed = await ask('DELETE', '/items/1');
    expect([removed.status, removed.body, removed.headers['content-type']]).toEqual([204, '', undefined]);
  });

  it(proves('http.headers', 'declared headers are sent, with successes only, in one line'), async () => {
    const expected = { location: '/items/a', 'x-left': '3' };
    expect((await ask('POST', '/items', '{"name":"a"}')).headers).toMatchObject(expected);
    expect((await ask('GET', '/items/1')).headers).toMatchObject({ 'x-version': '4', 'cache-control': 'no-cache' });
    for (const [name, message] of [
      ['split', 'The value of the header location must be at most 4096 ASCII characters in one line'],
      ['undeclared', 'The header \\"X-Other\\" is not declared in http.headers'],
    ]) {
      const { status, body, headers } = await ask('POST', '/items', JSON.stringify({ name }));
      expect([status, body]).toEqual([500, `{"error":"${message}"}`]);
      for (const header of ['location', 'set-cookie', 'x-left']) expect(headers).not.toHaveProperty(header);
    }
  });

  it(proves('http.raw-body', 'the bytes and the headers, as they were sent'), async () => {
    const body = '{ "a":1,\n"ü" : [ ] }';
    const signature = createHmac('sha256', 'secret').update(body).digest('hex');
    expect((await ask('POST', '/hook', body, { 'X-Signature': signature })).body).toBe('{"result":"21 bytes"}');
    expect((await ask('POST', '/hook', `${body} `, { 'X-Signature': signature })).status).toBe(403);
  });
});

it(proves('http.raw-body', 'is never what a parser has made of it'), async () => {
  const handle = toNodeHandler(app);
  const parsing = createServer((request, response) => {
    void text(request).then((body) => handle(Object.assign(request, { body: JSON.parse(body) as unknown }), response));
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => parsing.once('listening', listening));
  const ask = over(fetch, `http://127.0.0.1:${(parsing.address() as AddressInfo).port}`);
  expect((await ask('POST', '/hook', '{ }')).body).toContain('http.rawBody needs the bytes of the body');
  expect((await ask('PUT', '/items/3', '{"name":"a"}')).body).toBe('{"result":"replaced 3 a"}');
  parsing.close();
});

it(proves('http.headers', 'pages of other origins read what a function has set'), async () => {
  const functions = app.functions.map(({ definition }) => definition);
  const open = createApp({ name: 'Open', version: '1.0.0', functions, cors: { origins: '*' } });
  const exposed = async (path: string) => {
    const request = new Request(`http://localhost${path}`, { headers: { origin: 'https://a.example' } });
    return (await open.fetch(request)).headers.get('access-control-expose-headers')?.match(/x-(?:version|left)/g);
  };
  expect([await exposed('/items/1'), await exposed('/openapi.json')]).toEqual([['x-version'], null]);
});

it(proves('http.status', 'the document has the method, the status and the headers'), async () => {
  const document = JSON.parse((await wires['http']!('GET', '/openapi.json')).body) as { paths: Record<string, object> };
  expect(document.paths).toMatchObject({
    '/items': {
      post: {
        responses: { 201: { headers: { Location: { description: 'Where the item is', schema: { type: 'string' } } } } },
      },
    },
    '/items/{id}': {
      put: { requestBody: {} },
      patch: { responses: { 202: { content: {} } } },
      delete: {
        parameters: [
          { name: 'id', in: 'path' },
          { name: 'force', in: 'query' },
        ],
        responses: { 204: {} },
      },
    },
  });
  expect(JSON.stringify((document.paths['/items/{id}'] as { delete: object }).delete)).not.toContain('requestBody');
});

it(proves('http.status', 'the client reads a response without a body'), async () => {
  const client = createClient<typeof app>(host.url);
  expect(await client.call('Remove', { id: 1 })).toMatchObject({ ok: true });
  expect(await client.call('Create', { name: 'a' })).toMatchObject({ ok: true, data: 'a' });
});

it.each([
  [{ method: 'PURGE' }, 'http: method must be one of GET, POST, PUT, PATCH, DELETE, not "PURGE"'],
  [{ status: 302 }, 'http: status must be 200, 201, 202 or 204, not 302'],
  [{ status: 204 }, 'http: status 204 has no body; leave out output and outputs'],
  [
    { headers: { 'Set-Cookie': { description: 'a' } } },
    'http: headers: Set-Cookie is set by the server; it cannot be declared',
  ],
  [{ headers: { 'Transfer-Encoding': { description: 'a' } } }, 'Transfer-Encoding is set by the server'],
  [{ headers: { 'HTTP2-Settings': { description: 'a' } } }, 'HTTP2-Settings is set by the server'],
  [{ headers: { 'a b': { description: 'a' } } }, 'http: headers: "a b" is not a name of a header'],
  [{ headers: { 'X-A': {} } }, 'http: headers: X-A has no description'],
  [{ headers: { Location: { description: 'a' } } }, 'http: headers: Location needs status: 201 or 202'],
  [{ rawBody: 1 }, 'http: rawBody must be true or false'],
])(proves('http.headers', 'refuses %j'), (http, message) => {
  const functions = [fn('F', { http: http as never, output: string }, () => 'a')];
  expect(problemsOf({ functions }).join()).toContain(message);
});

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { defineResource, type App, type AppOptions, type Limits } from 'everywire';
import { createServer, serve, toNodeHandler, type NodeHost } from 'everywire/node';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createFetchHost } from '../../src/hosts/fetch.ts';
import { asJson } from '../kit/as-json.ts';
import { fn, object, string } from '../kit/functions.ts';
import { createHostApp, logged, startHost, stopHosts, waiting } from '../kit/host-app.ts';
import { problemsOf, throwing } from '../kit/parts.ts';
import { postText, raw, requestText, statusOf } from '../kit/raw.ts';
import { proves } from '../promises.ts';

const PNG = new Uint8Array([137, 80, 78, 71]);
const resources = [
  defineResource({ uri: 'pics://x', name: 'Pic', description: 'P.', mimeType: 'image/png', read: () => PNG }),
  defineResource({ uri: 'notes://x', name: 'Note', description: 'N.', read: () => 'Buy milk' }),
  defineResource({ uri: 'fails://x', name: 'Fails', description: 'F.', read: throwing(new Error('no')) }),
];
const edgeApp = (options: Partial<AppOptions> = {}) => createHostApp({ resources, ...options });
const start = (options: Parameters<typeof startHost>[1] = {}) => startHost(edgeApp(), options);
afterEach(stopHosts);

const get = (path: string, ...lines: readonly string[]) => requestText(`GET ${path}`, [...lines, 'Connection: close']);
const APP = 'https://app.example';
const cors = { origins: [APP] };

describe('hosts', () => {
  it.each([
    ['its own name', ['Host: localhost'], 200],
    ['its own name with a colon and no port', ['Host: localhost:'], 200],
    ['its own name with a dot and a port', ['Host: LocalHost.:8080'], 200],
    ['its own address', ['Host: 127.0.0.1'], 200],
    ['its own address in IPv6', ['Host: [::1]:80'], 200],
    ['another name', ['Host: evil.example'], 403],
    ['a foreign name that begins with its own', ['Host: localhost.evil.example'], 403],
    ['its own name after a user name', ['Host: evil.example@localhost'], 403],
    ['its own name after a slash', ['Host: evil.example/localhost'], 403],
    ['an empty name', ['Host:'], 403],
    ['two names, both its own', ['Host: localhost', 'Host: localhost'], 400],
    ['two names, the second foreign', ['Host: localhost', 'host: evil.example'], 400],
    ['two names, the first foreign', ['HOST: evil.example', 'Host: localhost'], 400],
    ['none', [], 400],
  ])(proves('http.host-origin', 'Host: %s'), async (_title, lines, status) => {
    expect(statusOf(await raw((await start()).url, get('/healthz', ...lines)))).toBe(status);
  });

  it.each([
    ['http://localhost/healthz', 'localhost', 200],
    ['HTTP://LOCALHOST:1/healthz', 'localhost', 200],
    ['http://evil.example/healthz', 'localhost', 403],
    ['http://localhost/healthz', 'evil.example', 403],
    ['https://evil.example:443/healthz?x=1', 'localhost', 403],
    ['http://evil.example?/healthz', 'localhost', 403],
    ['http://localhost@evil.example/healthz', 'localhost', 403],
    ['http://localhost?x', 'localhost', 404],
    ['http://localhost', 'localhost', 404],
  ])(proves('http.host-origin', 'target %s, Host: %s → %i'), async (target, host, status) => {
    expect(statusOf(await raw((await start()).url, get(target, `Host: ${host}`)))).toBe(status);
  });

  const spellings = ['LOCALHOST', '127.1', '127.255.255.254', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::FFFF:7f00:1'];
  it.for(['localhost', '127.0.0.1', '::1', ...spellings])(
    proves('http.host-origin', 'a server on %s serves only its own names'),
    async (host, { skip }) => {
      const served = await start({ host }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error;
      });
      if (!served) {
        skip('this machine has no such address');
        return;
      }
      const typed = host.includes(':') ? `[${host}]` : host;
      for (const [name, status] of [
        ['rebound.example', 403],
        ['localhost', 200],
        [`${typed}:1`, 200],
      ] as const)
        expect(statusOf(await raw(served.url, get('/healthz', `Host: ${name}`)))).toBe(status);
      expect((await fetch(`${served.url}/healthz`)).status).toBe(200);
    },
  );

  it(proves('http.host-origin', 'a server on all addresses serves any name by default'), async () => {
    const { url } = await start({ host: '0.0.0.0' });
    expect(statusOf(await raw(url.replace('0.0.0.0', '127.0.0.1'), get('/healthz', 'Host: any.example')))).toBe(200);
  });
});

describe('origins', () => {
  it.each([
    ['http://localhost', 'localhost', 200],
    ['http://LOCALHOST:8080', 'localhost:8080', 200],
    ['https://localhost', 'localhost', 200],
    ['http://evil.example//localhost', 'localhost', 403],
    ['http://evil.example/http://localhost', 'localhost', 403],
    ['http://evil.example', 'localhost', 403],
    ['http://localhost.evil.example', 'localhost', 403],
    ['http://localhost:8081', 'localhost:8080', 403],
    ['ftp://localhost', 'localhost', 403],
    ['null', 'localhost', 403],
    ['https://app.example', 'localhost', 200],
    ['https://app.example.evil.example', 'localhost', 403],
  ])(proves('http.host-origin', 'Origin: %s, Host: %s → %i'), async (origin, host, status) => {
    const { url } = await start({ cors });
    expect(statusOf(await raw(url, get('/healthz', `Host: ${host}`, `Origin: ${origin}`)))).toBe(status);
  });

  it(proves('http.host-origin', 'a page of an allowed origin may send the headers of MCP'), async () => {
    const { url } = await start({ cors });
    const headers = { origin: APP, 'access-control-request-method': 'POST' };
    const asked = await fetch(`${url}/mcp`, { method: 'OPTIONS', headers });
    const allowed = asked.headers.get('access-control-allow-headers')?.toLowerCase().split(/, */);
    expect(allowed).toEqual(expect.arrayContaining(['accept', 'mcp-session-id', 'mcp-method', 'mcp-name']));
  });

  it.each([
    [400, 'No colon'],
    [431, `X-Long: ${'x'.repeat(20_000)}`],
  ])(proves('http.cors', 'a page of an allowed origin can read why Node refused it: %i'), async (status, line) => {
    const { url } = await start({ cors });
    const allowed = /^access-control-allow-origin: (.*)\r$/m;
    const refusal = (...more: readonly string[]) => raw(url, get('/healthz', ...more, line));
    const readable = await refusal('Host: localhost', `Origin: ${APP}`);
    expect([statusOf(readable), allowed.exec(readable)?.[1]]).toEqual([status, APP]);
    for (const [host, origin] of [
      ['localhost', 'https://evil.example'],
      ['evil.example', APP],
    ]) {
      const hidden = await refusal(`Host: ${host}`, `Origin: ${origin}`);
      expect([statusOf(hidden), allowed.exec(hidden)]).toEqual([status, null]);
    }
  });
});

describe('methods', () => {
  it.each([
    ['/functions/Echo', 'POST, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
    ['/healthz', 'GET, HEAD, OPTIONS'],
    ['/resources', 'GET, HEAD, OPTIONS'],
    ['/resources/notes%3A%2F%2Fx', 'GET, HEAD, OPTIONS'],
    ['/mcp', 'GET, POST, DELETE, OPTIONS'],
    ['*', 'GET, HEAD, POST, DELETE, OPTIONS'],
  ])(proves('http.method', 'OPTIONS %s lists the methods, whatever Accept says'), async (path, allow) => {
    const asked = get(path, 'Host: localhost', 'Accept: image/png').replace('GET', 'OPTIONS');
    const reply = await raw((await start()).url, asked);
    expect(statusOf(reply)).toBe(204);
    expect(/^allow: (.*)$/im.exec(reply)?.[1]?.trim()).toBe(allow);
    expect(reply).toMatch(/\r\n\r\n$/);
  });

  it(proves('http.method', 'a HEAD request has the head of a GET, and no body'), async () => {
    const { url } = await start();
    for (const path of ['/openapi.json', '/healthz', '/resources', '/resources/pics%3A%2F%2Fx']) {
      const [head, whole] = await Promise.all([
        fetch(url + path, { method: 'HEAD', headers: { accept: 'image/webp' } }),
        fetch(url + path, { headers: { accept: 'image/webp' } }),
      ]);
      expect([head.status, head.headers.get('content-type')]).toEqual([200, whole.headers.get('content-type')]);
      expect(await head.text()).toBe('');
    }
    expect((await fetch(`${url}/functions/Echo`, { method: 'HEAD' })).status).toBe(405);
  });

  it(proves('http.keep-alive', 'a body is never parsed as the next request'), async () => {
    const { url } = await start();
    const inner = postText('/functions/Echo');
    for (const method of ['HEAD', 'GET', 'OPTIONS', 'DELETE']) {
      for (const path of ['/healthz', '/functions/Echo', '/mcp', '/nowhere']) {
        const outer = postText(path, inner).replace('POST', method);
        const reply = await raw(url, outer + get('/readyz', 'Host: localhost'));
        expect(reply.match(/HTTP\/1\.1 \d+/g)).toHaveLength(2);
        expect(reply).toMatch(/\{"status":"ready"\}$/);
      }
    }
  });
});

describe('bodies', () => {
  it.each(['gzip', 'identity, gzip', 'GZIP', 'x-unknown'])(
    proves('http.media-type', 'a body in %s is refused with 415'),
    async (encoding) => {
      const { url } = await start();
      for (const path of ['/functions/Echo', '/mcp']) {
        const reply = await fetch(url + path, asJson({}, { 'content-encoding': encoding }));
        expect([reply.status, reply.headers.get('everywire-error-code')]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
        expect(await reply.json()).toEqual({
          error: `Unsupported content encoding: ${encoding} (send the body uncompressed)`,
        });
      }
    },
  );

  it(proves('http.media-type', 'a body with the encoding identity is accepted'), async () => {
    const { url } = await start();
    for (const encoding of ['identity', 'Identity', '']) {
      const reply = await fetch(`${url}/functions/Echo`, asJson({ a: 1 }, { 'content-encoding': encoding }));
      expect(await reply.json()).toEqual({ result: { a: 1 } });
    }
  });
});

describe('resources', () => {
  it(proves('mcp.resources', 'a resource keeps its media type, whatever Accept says'), async () => {
    const { url } = await start();
    for (const accept of ['image/png', 'image/*', 'text/plain', 'text/html', 'application/json', '*/*', 'a/b;q=0']) {
      const read = (uri: string) => fetch(`${url}/resources/${encodeURIComponent(uri)}`, { headers: { accept } });
      const picture = await read('pics://x');
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
      expect(picture.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
      expect(new Uint8Array(await picture.arrayBuffer())).toEqual(PNG);
      expect(await (await read('notes://x')).text()).toBe('Buy milk');
      expect((await read('fails://x')).status).toBe(500);
      expect(await (await read('none://x')).json()).toEqual({ error: 'Resource not found: none://x' });
      expect((await fetch(`${url}/resources`, { headers: { accept } })).status).toBe(200);
    }
  });

  it(proves('mcp.resources', 'the failure of a resource has the requested profile'), async () => {
    const { url } = await start();
    const read = async (headers: Record<string, string>, query = '') =>
      (await fetch(`${url}/resources/none%3A%2F%2Fx${query}`, { headers })).json();
    const status = { status: 'ERROR', error: { code: 'RESOURCE_NOT_FOUND' } };
    expect(await read({ accept: 'image/png, application/json;profile=status;q=0.5' })).toMatchObject(status);
    expect(await read({ accept: 'image/png' }, '?profile=status')).toMatchObject(status);
    expect(await read({ accept: 'application/problem+json' })).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});

it(proves('build.all-at-once', 'an invalid media type is reported when the app is created'), () => {
  const problemsWith = (mimeType: string) =>
    problemsOf({ resources: [{ uri: 'a:b', name: 'R', description: 'R.', mimeType, read: () => '' }] }).join();
  for (const wrong of ['text/€', 'text', 'text/plain\r\nx: y', '', 'text/plain; title="ü"'])
    expect(problemsWith(wrong)).toContain(
      `mimeType must be a media type such as text/plain, not ${JSON.stringify(wrong)}`,
    );
  for (const right of ['text/plain', 'application/vnd.a+json; v="1"', 'text/markdown;charset=utf-8'])
    expect(problemsWith(right)).toBe('');
});

describe('bugs of our own', () => {
  const broken = (app: App) => ({ ...app, respond: throwing(new RangeError('a fault in the wire')) });

  it(proves('failure.no-leak', 'are logged with a stack, and the response has the requested profile'), async () => {
    const host = createFetchHost(broken(edgeApp()) as never);
    const call = (query: string, headers = {}) =>
      host.handle(new Request(`http://localhost/functions/Echo${query}`, { method: 'POST', headers, body: '{}' }));
    const plain = await call('');
    expect([plain.status, await plain.json()]).toEqual([500, { error: 'a fault in the wire' }]);
    const enveloped = await call('?profile=status');
    const expected = [500, { status: 'ERROR', error: { code: 'INTERNAL_ERROR' } }];
    expect([enveloped.status, await enveloped.json()]).toMatchObject(expected);
    const problem = await call('', { accept: 'application/problem+json' });
    expect(problem.headers.get('content-type')).toBe('application/problem+json');
    expect(logged).toHaveLength(3);
    expect(logged[0]).toMatchObject({ message: 'a fault in the wire', fields: { code: 'INTERNAL_ERROR' } });
    expect(logged[0]?.fields['stack']).toContain('RangeError: a fault in the wire\n    at ');
  });

  it(proves('failure.masked', 'are masked, with the error id of the log entry'), async () => {
    const host = createFetchHost(broken(edgeApp({ errors: 'masked' })) as never);
    const reply = await host.handle(new Request('http://localhost/functions/Echo', { method: 'POST', body: '{}' }));
    const { error } = (await reply.json()) as { error: string };
    expect(error).toBe(`Something went wrong (error id ${String(logged[0]?.fields['errorId'])})`);
  });

  it(proves('failure.any-throw', 'include headers that cannot be sent; other requests are not affected'), async () => {
    const odd = (app: App): App => ({
      ...app,
      resources: {
        ...app.resources,
        respond: () => ({ outcome: { ok: true, data: { mimeType: 'text/€', text: 'x' } }, body: '', fn: undefined }),
      },
    });
    const host = await startHost(odd(edgeApp()));
    for (const method of ['GET', 'HEAD']) {
      expect((await fetch(`${host.url}/resources/notes%3A%2F%2Fx`, { method })).status).toBe(500);
    }
    const web = createFetchHost(odd(edgeApp()) as never);
    const reply = await web.handle(new Request('http://localhost/resources/notes%3A%2F%2Fx?profile=status'));
    expect([reply.status, await reply.json()]).toMatchObject([500, { error: { code: 'INTERNAL_ERROR' } }]);
    expect(logged).toHaveLength(3);
    expect((await fetch(`${host.url}/healthz`)).status).toBe(200);
  });
});

function appOf(name: string, limits: Partial<Limits> = {}): App {
  const input = object({ text: string }, []);
  return createHostApp({ name, functions: [fn('Who', { input, output: string }, () => name)], limits });
}

async function startAll(apps: Record<string, App>): Promise<NodeHost> {
  const host = await createServer(apps, { port: 0 });
  onTestFinished(() => void host.drain());
  return host;
}

async function ask(url: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  return [response.status, await response.json()];
}

const who = (url: string, text = '') => ask(`${url}/functions/Who`, asJson({ text }));
const post = (url: string, target: string) => raw(url, postText(target, '', 'Connection: close'));

describe('several apps on one port', () => {
  it(proves('http.mounts', 'each has its own path, document and MCP endpoint'), async () => {
    const { url } = await startAll({ '/v1': appOf('one'), '/v2/': appOf('two') });
    for (const [path, title] of Object.entries({ '/v1': 'one', '/v2': 'two' })) {
      expect(await who(url + path)).toEqual([200, { result: title }]);
      const document = await fetch(`${url}${path}/openapi.json`);
      expect(await document.json()).toMatchObject({ info: { title }, servers: [{ url: path }] });
      const client = new Client({ name: 'mounts', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}${path}/mcp`)));
      const { structuredContent } = await client.callTool({ name: 'functions.Who' });
      expect(structuredContent).toEqual({ result: title });
      await client.close();
    }
  });

  it(proves('http.mounts', 'the longest path wins, and a path is whole segments'), async () => {
    const { url } = await startAll({ '/v1': appOf('one'), '/v1/beta': appOf('beta'), '/': appOf('root') });
    expect(await who(`${url}/v1/beta`)).toEqual([200, { result: 'beta' }]);
    expect(await who(`${url}/v1`)).toEqual([200, { result: 'one' }]);
    expect(await who(url)).toEqual([200, { result: 'root' }]);
    expect(await ask(`${url}/v10/functions/Who`, { method: 'POST' })).toMatchObject([404, {}]);
    for (const path of ['/v1', '/v1/', '/v1?x=/functions/Who'])
      expect(await ask(url + path)).toEqual([404, { error: 'No such path: /' }]);
    expect(await post(url, '/v1//functions/Who')).toContain('404 Not Found');
    expect(await post(url, 'http://localhost/v1/functions/Who')).toContain('{"result":"one"}');
    expect(await post(url, 'http://evil.example/v1/functions/Who')).toContain('403 Forbidden');
  });

  it(proves('http.mounts', 'what is in no app is 404, and health is that of the server'), async () => {
    const { url } = await startAll({ '/v1': appOf('one') });
    expect(await ask(`${url}/healthz`)).toEqual([200, { status: 'ok' }]);
    expect(await ask(`${url}/readyz`)).toEqual([200, { status: 'ready' }]);
    expect(await ask(`${url}/v1/healthz`)).toEqual([200, { status: 'ok' }]);
    for (const path of ['/', '/openapi.json', '/mcp', '/functions/Who', '/v10/functions/Who', '/v1functions/Who'])
      expect(await ask(url + path, { method: 'POST' })).toEqual([404, { error: `No such path: ${path}` }]);
    expect(await post(url, '*')).toMatch(/^HTTP\/1\.1 404 /);
  });

  it(proves('http.mounts', 'each has its own limit for bodies'), async () => {
    const { url } = await startAll({ '/small': appOf('small', { body: 50 }), '/large': appOf('large') });
    const text = 'a'.repeat(100);
    expect(await who(`${url}/small`, text)).toEqual([413, { error: 'The body is larger than 50 bytes' }]);
    expect(await who(`${url}/large`, text)).toEqual([200, { result: 'large' }]);
  });

  it(proves('http.mounts', 'drain waits for the calls of every app'), async () => {
    const { url, drain } = await startAll({ '/v1': appOf('one'), '/v2': appOf('two') });
    const call = ask(`${url}/v2/functions/Wait`, { method: 'POST' });
    await expect.poll(() => waiting.running.length).toBe(1);
    const drained = drain();
    setTimeout(() => waiting.running[0]!(), 50);
    expect(await call).toEqual([200, { result: 'done' }]);
    expect(await drained).toBe(true);
    await expect(fetch(url)).rejects.toThrow();
  });

  it(proves('http.mounts', 'paths are checked before anything listens'), async () => {
    const app = appOf('one');
    for (const [apps, message] of [
      [{}, 'createServer needs at least one app'],
      [app, "such as { '/v1': app }; serve(app) serves a single one"],
      [{ v1: app }, 'must be a path such as "/api", not "v1"'],
      [{ '/v1': app, '/v1/': app }, 'two apps have the path "/v1"'],
      [{ '/v1': {} }, 'createServer: "/v1": expected an app, as createApp returns it, got another object'],
      [{ '/v1': { default: app } }, 'got an object that has the app in "default": pass that'],
      [Promise.resolve({}), "such as { '/v1': app }; this is a promise: await it"],
      [{ '/healthz': app }, '"/healthz" belongs to the whole server'],
    ] as const)
      await expect(createServer(apps as never, { port: 0 })).rejects.toThrow(message);
    for (const [given, message] of [
      [undefined, 'undefined'],
      [Promise.resolve(app), 'a promise: await it'],
      [() => app, 'a function: call it'],
      [{ default: app }, 'an object that has the app in "default": pass that'],
    ] as const) {
      const expected = `expected an app, as createApp returns it, got ${message}`;
      await expect(serve(given as never)).rejects.toThrow(`serve: ${expected}`);
      expect(() => toNodeHandler(given as never)).toThrow(`toNodeHandler: ${expected}`);
    }
  });
});

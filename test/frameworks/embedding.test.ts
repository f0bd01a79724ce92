import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createApp, defineResource } from 'everywire';
import { toNodeHandler } from 'everywire/node';
import express from 'express';
import { fastify as Fastify, type FastifyRequest } from 'fastify';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer, type Server } from '../access/issuer.ts';
import { fn, integer, object, silent, string } from '../kit/functions.ts';
import { raw, requestText } from '../kit/raw.ts';
import { proves } from '../promises.ts';

const logged: string[] = [];
const log = { ...silent, error: (message: string) => void logged.push(message) };

const app = createApp({
  name: 'Handled',
  version: '1.0.0',
  log,
  limits: { body: 1000 },
  functions: [
    fn(
      'Echo',
      { input: object({ n: integer, text: { description: 'Anything' } }, []), output: { description: 'It' } },
      (input) => input,
    ),
    fn('Greet', { output: string }, (_, { env }) => env.get('GREETING') ?? ''),
  ],
  resources: [defineResource({ uri: 'notes://x', name: 'X', description: 'A note', read: () => 'x' })],
});

const servers: Server[] = [];
afterEach(async () => {
  logged.splice(0);
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
});

async function listening(listener: RequestListener): Promise<string> {
  const server = await startServer(listener);
  servers.push(server);
  return server.url;
}

const json = { 'content-type': 'application/json' };

async function post(url: string, body: BodyInit, headers: Record<string, string> = json): Promise<unknown> {
  const response = await fetch(`${url}/functions/Echo`, { method: 'POST', headers, body });
  return [response.status, await response.json()];
}

const serversOf = async (url: string) =>
  ((await (await fetch(`${url}/openapi.json`)).json()) as { servers: unknown }).servers;

describe('a mounted handler', () => {
  it(proves('embed.node', 'is right below any path: nested, in other letters, at the root'), async () => {
    const [outer, inner] = [express(), express.Router()];
    inner.use('/deep', toNodeHandler(app));
    outer.use('/a/b', inner);
    outer.use('/:tenant/api', toNodeHandler(app));
    outer.use(toNodeHandler(app));
    const url = await listening(outer);
    for (const path of ['/a/b/deep', '/A/b/DEEP', '/one/api', '/%7Bx%7D/api'])
      expect(await serversOf(url + path)).toEqual([{ url: path }]);
    expect(await serversOf(url)).toEqual([{ url: '/' }]);
    expect(await post(`${url}/a/b/deep`, '{"n":1}')).toEqual([200, { result: { n: 1 } }]);
  });

  it(proves('embed.node', 'has the same base whether it is given, found, or both'), async () => {
    const outer = express();
    outer.use('/x', toNodeHandler(app, { base: '/x' }));
    outer.use(toNodeHandler(app, { base: '/y/' }));
    const url = await listening(outer);
    for (const base of ['/x', '/y']) expect(await serversOf(url + base)).toEqual([{ url: base }]);
    expect((await fetch(`${url}/yy/openapi.json`)).status).toBe(404);
  });

  it(proves('embed.node', 'does not lead readers of the document to another host'), async () => {
    const outer = express();
    outer.use(/.*\/api/, toNodeHandler(app));
    const asked = requestText('GET //evil.example/api/openapi.json', ['Host: localhost', 'Connection: close']);
    expect(await raw(await listening(outer), asked)).toContain('"servers":[{"url":"/evil.example/api"}]');
  });

  it(proves('embed.node', 'passes on what the app does not have, and only that'), async () => {
    const outer = express();
    outer.use(toNodeHandler(app));
    outer.use((request, response) => void response.status(418).send(request.url));
    const url = await listening(outer);
    expect((await fetch(`${url}/`)).status).toBe(418);
    expect((await fetch(`${url}/functionsX`, { method: 'POST', body: 'x' })).status).toBe(418);
    expect((await fetch(`${url}/functions/None`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${url}/functions/Echo`)).status).toBe(405);
    const alone = await listening(toNodeHandler(app, { base: '/api' }));
    const missing = await fetch(`${alone}/functions/Echo`, { method: 'POST', body: '{}' });
    expect([missing.status, await missing.json()]).toEqual([404, { error: 'No such path: /functions/Echo' }]);
  });

  it(proves('embed.node', 'gives functions the environment, and lets a server close'), async () => {
    const handle = toNodeHandler(app, { environment: { env: { GREETING: 'hi' } } });
    const server = createServer(handle).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await (await fetch(`${url}/functions/Greet`, { method: 'POST' })).json()).toEqual({ result: 'hi' });
    const client = new Client({ name: 'listens', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    await client.readResource({ uri: 'notes://x' });
    await handle.close();
    server.close();
    const closing = setInterval(() => server.closeIdleConnections(), 10);
    await once(server, 'close');
    clearInterval(closing);
    await client.close().catch(() => {});
  });

  it(proves('embed.node', 'leaves a response alone that the server around it has sent'), async () => {
    const handle = toNodeHandler(app);
    const url = await listening((request, response) => {
      handle(request, response);
      response.end('first');
    });
    expect(await (await fetch(`${url}/functions/Echo`, { method: 'POST', body: '{}' })).text()).toBe('first');
    expect(logged).toEqual([]);
  });

  it(proves('embed.options', 'refuses options that are wrong, when it is created'), () => {
    const wrong = (options: object) => () => toNodeHandler(app, options as never);
    expect(wrong({ bse: '/x' })).toThrow('toNodeHandler: unknown option "bse" (did you mean "base"?)');
    expect(wrong({ origins: [] })).toThrow('toNodeHandler: unknown option "origins"');
    expect(wrong({ environment: { A: 'x' } })).toThrow('toNodeHandler: environment: unknown option "A"');
    expect(wrong({ environment: { env: { A: 1, B: undefined } } })).toThrow(/: environment.env.A must be a string$/);
    for (const base of ['api', '/a?b', '//x', '/a/../b', '/a b', 1])
      expect(wrong({ base })).toThrow(`base must be a path such as "/api", not ${JSON.stringify(base)}`);
  });
});

it(proves('embed.fetch', 'works with the mount of Hono, if it leaves the request as it is'), async () => {
  const outer = new Hono().mount('/api', (request) => app.fetch(request, { base: '/api' }), { replaceRequest: false });
  const document = await outer.request('/api/openapi.json');
  expect(await document.json()).toMatchObject({ servers: [{ url: '/api' }] });
  const root = new Hono().mount('/', app.fetch);
  expect((await root.request('/openapi.json')).status).toBe(200);
});

describe('a body that was read before', () => {
  const behind = (parser: express.RequestHandler) => {
    const outer = express();
    outer.use(parser, toNodeHandler(app));
    return listening(outer);
  };

  const insideFastify = async (handOver: (request: FastifyRequest) => IncomingMessage) => {
    const fastify = Fastify();
    fastify.all('/*', (request, reply) => {
      reply.hijack();
      toNodeHandler(app)(handOver(request), reply.raw);
    });
    await fastify.ready();
    return listening(fastify.routing.bind(fastify) as RequestListener);
  };

  it(proves('embed.body', 'is used: as a value, as bytes, as text, decompressed'), async () => {
    const sent = '{"n":"1","text":"é"}';
    const result = [200, { result: { n: 1, text: 'é' } }];
    for (const parser of [express.json(), express.raw({ type: '*/*' }), express.text({ type: '*/*' })])
      expect(await post(await behind(parser), sent)).toEqual(result);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await post(await behind(express.urlencoded()), 'n=1&text=%C3%A9', form)).toEqual(result);
    const { gzipSync } = await import('node:zlib');
    const zipped = { ...json, 'content-encoding': 'gzip' };
    expect(await post(await behind(express.json()), gzipSync(sent), zipped)).toEqual(result);
  });

  it(proves('embed.body', 'is still limited, and nothing is lost if a parser did not want it'), async () => {
    const url = await behind(express.json());
    expect(await post(url, JSON.stringify({ text: 'a'.repeat(1000) }))).toMatchObject([413, {}]);
    expect(await post(url, '')).toEqual([200, { result: {} }]);
    expect(await post(await behind(express.json({ type: 'text/x' })), '{"n":1}')).toEqual([200, { result: { n: 1 } }]);
    const deep = `{"text":${'['.repeat(40_000)}${']'.repeat(40_000)}}`;
    // Node 26 can write what overflows the stack of earlier versions.
    const refusals = [
      [400, { error: 'The body is nested too deeply' }],
      [413, { error: 'The body is larger than 1000 bytes' }],
    ];
    expect(refusals).toContainEqual(await post(await behind(express.json()), deep));
  });

  it(proves('embed.body', 'works for MCP'), async () => {
    const url = await behind(express.json());
    const client = new Client({ name: 'parsed', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    const { structuredContent } = await client.callTool({ name: 'functions.Echo', arguments: { n: 1 } });
    expect(structuredContent).toEqual({ result: { n: 1 } });
    await client.close();
  });

  it(proves('embed.body', 'and lost is refused, with what to do'), async () => {
    const reason =
      'The body was read before the app got the request, and is not in request.body. ' +
      'Mount the app before the body parser, or set request.body to what was read.';
    const url = await insideFastify(({ raw: request }) => request);
    expect(await post(url, '{"n":1}')).toEqual([500, { error: reason }]);
    expect(logged.splice(0)).toEqual([reason]);
  });

  it(proves('embed.body', 'in part, paused or decoded does not hang'), async () => {
    const handle = toNodeHandler(app);
    const before = (act: (request: IncomingMessage) => unknown) =>
      listening(async (request, response) => {
        await act(request);
        handle(request, response);
      });
    expect(await post(await before((request) => request.pause()), '{"n":1}')).toEqual([200, { result: { n: 1 } }]);
    expect(await post(await before((request) => request.setEncoding('utf8')), '{"n":1}')).toEqual([
      500,
      { error: 'The app needs the bytes of the body: call request.setEncoding() only for requests of your own.' },
    ]);
    const half = await before(async (request) => {
      await once(request, 'data');
      request.pause();
    });
    expect(await post(half, '{"n":1}')).toMatchObject([500, { error: expect.stringContaining('was read before') }]);
  });

  it(proves('embed.body', 'and handed over is used, by Fastify'), async () => {
    const url = await insideFastify(({ raw: request, body }) => Object.assign(request, { body }));
    expect(await post(url, '{"n":1}')).toEqual([200, { result: { n: 1 } }]);
  });
});

describe('the CORS of the server around it', () => {
  const ORIGIN = 'https://page.example';
  const hono = new Hono();
  hono.use(cors({ origin: ORIGIN }));
  hono.all('/functions/*', (context) => app.fetch(context.req.raw));
  const outer = express();
  outer.use((request, response, next) => {
    response.vary('Origin');
    if (request.headers.origin === ORIGIN) response.setHeader('Access-Control-Allow-Origin', ORIGIN);
    if (request.method === 'OPTIONS') response.status(204).end();
    else next();
  });
  outer.use(toNodeHandler(app));

  it.each(['Hono', 'Express'])(proves('embed.cors', 'decides: no refusal and no header twice: %s'), async (name) => {
    const url = name === 'Express' ? await listening(outer) : 'http://localhost';
    const send = async (method: string, origin: string, type?: string, path = '/functions/Echo') => {
      const headers = { origin, ...(type && { 'content-type': type }) };
      const init = { method, headers, ...(method === 'POST' && { body: '{}' }) };
      const response = await (name === 'Express' ? fetch(url + path, init) : hono.request(path, init));
      await response.text();
      expect(response.headers.get('vary')).toMatch(/origin/i);
      // A header that is there twice is joined with a comma.
      return [response.status, response.headers.get('access-control-allow-origin')];
    };
    expect(await send('OPTIONS', ORIGIN)).toEqual([204, ORIGIN]);
    expect(await send('POST', ORIGIN, 'application/json')).toEqual([200, ORIGIN]);
    expect(await send('POST', ORIGIN, 'application/json', '/functions/None')).toEqual([404, ORIGIN]);
    // Never sent by a browser: it has asked before, and was not allowed.
    expect(await send('POST', 'https://evil.example', 'application/json')).toEqual([200, null]);
    // Sent without asking: cross-site request forgery.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      expect([403, 415]).toContain((await send('POST', 'https://evil.example', type))[0]);
  });

  it(proves('embed.cors', 'is alone: the app adds no headers of its own'), async () => {
    for (const method of ['OPTIONS', 'POST']) {
      const headers = { origin: ORIGIN, ...json };
      const response = await app.fetch(new Request('http://localhost/functions/Echo', { method, headers }));
      expect([...response.headers.keys()].filter((header) => header.startsWith('access-control'))).toEqual([]);
      expect(response.ok).toBe(true);
    }
  });
});

it(proves('embed.node', 'a body that comes after the server around has answered is ended'), async () => {
  let ended = 0;
  const chunks = fn('Chunks', { yields: integer, output: integer }, async function* () {
    try {
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (;;) yield 1;
    } finally {
      ended++;
    }
  });
  const streaming = createApp({ name: 'S', version: '1', log, functions: [chunks] });
  const handler = toNodeHandler(streaming);
  const url = await listening((request, response) => {
    handler(request, response);
    setTimeout(() => response.writeHead(503).end('too slow'), 30);
  });
  const response = await fetch(`${url}/functions/Chunks`, {
    method: 'POST',
    headers: { ...json, accept: 'text/event-stream' },
    body: '{}',
  });
  expect([response.status, await response.text()]).toEqual([503, 'too slow']);
  await expect.poll(() => ended).toBe(1);
});

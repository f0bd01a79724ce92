import { Client as ClientV2, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createMcpHandler, ProtocolError, Server as McpServer } from '@modelcontextprotocol/server';
import { createApp, defineFunction, forms, type App } from 'everywire';
import { createClient, type Client } from 'everywire/client';
import { serve, type NodeHost } from 'everywire/node';
import { profileNames } from 'everywire/responses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import app from '../apps/profiles.ts';
import shop from '../generators/shop.ts';
import { silent } from '../kit/functions.ts';
import { proves } from '../promises.ts';
import { startServer, type Server } from '../access/issuer.ts';

type TestApp = typeof app;

let host: NodeHost;
let mcp: Awaited<ReturnType<typeof serveMcp>>;
const clients: Record<string, Client<TestApp>> = {};

beforeAll(async () => {
  [host, mcp] = await Promise.all([serve(app, { port: 0 }), serveMcp(app)]);
  const url = new URL(mcp.url);
  const v1 = new ClientV1({ name: 'test', version: '1' });
  await v1.connect(new TransportV1(url) as never);
  const legacy = new ClientV2({ name: 'test', version: '1' });
  await legacy.connect(new StreamableHTTPClientTransport(url));
  Object.assign(clients, {
    HTTP: createClient<TestApp>(host.url),
    'an OpenAPI document': createClient<TestApp>(`${host.url}/openapi.json`),
    MCP: createClient<TestApp>(mcp.url),
    'the MCP SDK 1.x': createClient<TestApp>(v1),
    'the MCP SDK 2.x, revision 2025-11-25': createClient<TestApp>(legacy),
  });
});
afterAll(async () => {
  await Promise.all(Object.values(clients).map((client) => client.close()));
  await Promise.all([host.drain(), mcp[Symbol.asyncDispose]()]);
});

const ways = [
  ['HTTP', (title: string) => proves('client.http', title)],
  ['an OpenAPI document', (title: string) => proves('client.openapi', title)],
  ['MCP', (title: string) => proves('client.mcp', title)],
  ['the MCP SDK 1.x', (title: string) => proves('client.mcp', title)],
  ['the MCP SDK 2.x, revision 2025-11-25', (title: string) => proves('client.mcp', title)],
] as const;

describe.each(ways)('a client over %s', (way, proving) => {
  // Short names work only on everywire servers and tools.
  const name = <N extends string>(fn: N) => (way === 'an OpenAPI document' ? `functions.${fn}` : fn) as N;

  it(proving('calls a function and returns its result'), async () => {
    const client = clients[way]!;
    const running = { id: 'i-1', status: 'running' };
    expect(await client.call(name('GetInstance'), { id: 'i-1' })).toEqual({ ok: true, data: running });
    expect(await client.call(name('Split'))).toEqual({ ok: true, data: ['a', 2] });
    expect(await client.call(name('Stop'))).toEqual({ ok: true, data: undefined });
  });

  it.each([
    [
      'GetInstance',
      { id: 'i-9' },
      { code: 'INSTANCE_NOT_FOUND', message: "Instance 'i-9' not found", details: { known: ['i-1'] }, retry: false },
    ],
    ['Wait', {}, { code: 'RATE_LIMITED', message: 'Too fast', retry: true, retryAfter: 7 }],
    [
      'GetInstance',
      { id: 5 },
      expect.objectContaining({ message: 'Invalid arguments: /id: expected string, got 5', code: 'INVALID_ARGUMENTS' }),
    ],
    ['Nowhere', {}, expect.objectContaining({ message: 'Function not found: Nowhere', code: 'FUNCTION_NOT_FOUND' })],
  ])(proving('returns complete failures: %s %j'), async (fn, input, error) => {
    const outcome = await (clients[way] as Client).call(fn === 'Nowhere' ? fn : name(fn), input);
    expect(outcome.ok ? outcome : outcome.error).toEqual(error);
  });

  it(proving('encodes and decodes dates, BigInt and bytes'), async () => {
    const at = new Date('2026-01-01T00:00:00Z');
    expect(await clients[way]!.call(name('When'), { at })).toEqual({
      ok: true,
      data: { at, big: 2n ** 60n, raw: new Uint8Array([1, 2, 255]) },
    });
  });

  it(proving('lists the functions, with schemas'), async () => {
    const list = await clients[way]!.list();
    expect(list.map((one) => one.name)).toEqual(app.functions.map(({ operationId }) => operationId));
    expect(list[0]).toMatchObject({
      name: 'functions.GetInstance',
      description: 'One value',
      inputSchema: { type: 'object', properties: { id: { type: 'string', description: 'Which' } }, required: ['id'] },
    });
  });

  it(proves('client.failures', 'can be aborted'), async () => {
    const aborted = await clients[way]!.call(name('Split'), undefined, { signal: AbortSignal.abort() });
    expect(aborted).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  });
});

interface Sent {
  readonly method: string | undefined;
  readonly path: string;
  readonly body: unknown;
  readonly headers: Record<string, string>;
}

/** Sends the same response to every request. */
function answering(status: number, body: string, headers: Record<string, string> = {}) {
  const seen: Sent[] = [];
  const fetcher: typeof fetch = async (input, init) => {
    const { pathname, search } = new URL(input as string | URL);
    const sent = Object.fromEntries(new Headers(init?.headers));
    seen.push({ method: init?.method, path: pathname + search, body: init?.body, headers: sent });
    // As bytes: a string would bring a media type.
    return new Response(new TextEncoder().encode(body), { status, headers });
  };
  return { fetch: fetcher, seen };
}

describe('a client and a server that is wrong', () => {
  const json = { 'content-type': 'application/json' };
  const DATE = 'Wed, 01 Jan 2020 00:00:00 GMT';
  const said = (status: number) => `The server answered with status ${status}`;
  const NOPE = { code: 'NOPE', retry: false };
  const unreadable = { code: 'INVALID_RESPONSE_FORMAT' };
  const elsewhere = {
    ...unreadable,
    message: 'There is no everywire app at http://localhost/functions/F: it answers with status 404',
  };
  it.each<[title: string, status: number, body: string, headers: Record<string, string>, error: object]>([
    ['a proxy that is down', 502, '<h1>Bad</h1>', {}, { code: 'UNAVAILABLE', retry: true, message: said(502) }],
    ['another proxy', 522, '<html>'.repeat(1e5), { 'retry-after': DATE }, { code: 'UNAVAILABLE', retryAfter: 0 }],
    ['a long text', 408, 'x'.repeat(5e5), {}, { code: 'REQUEST_TIMEOUT', message: `${'x'.repeat(200)}…` }],
    ['too large for a proxy', 413, '', {}, { code: 'PAYLOAD_TOO_LARGE', retry: false, message: said(413) }],
    ['an empty 503', 503, '', { 'retry-after': '5' }, { code: 'UNAVAILABLE', retry: true, retryAfter: 5 }],
    ['a 401 with a plain text', 401, 'Who?', {}, { code: 'UNAUTHENTICATED', message: 'Who?' }],
    ['a plain error with a header', 404, '{"error":"gone"}', { 'everywire-error-code': 'GONE' }, { code: 'GONE' }],
    ['a success that says it failed', 200, '{"error":"no"}', {}, { code: 'UNKNOWN_ERROR', message: 'no' }],
    ['an error status with data', 500, '{"result":1}', {}, { code: 'UNKNOWN_ERROR', message: '{"result":1}' }],
    ['a code in the body', 503, '{"status":"ERROR","error":{"code":"NOPE","message":"no","retry":false}}', json, NOPE],
    ['another server, with a page', 404, '<h1>Where?</h1>', {}, elsewhere],
    ['another server, with JSON', 404, '{"error":"Not found"}', json, elsewhere],
    ['nothing at all', 200, '', {}, unreadable],
    ['an empty body with a JSON type', 200, '', json, unreadable],
    ['white space', 200, ' \n', json, unreadable],
    ['JSON that was cut off', 200, '{"status":"SUCCESS","data":{"a":', json, unreadable],
    ['JSON that was cut off, and nothing says that it is JSON', 200, '{"a":', {}, unreadable],
    ['a string', 200, 'Sunny', { 'content-type': 'text/plain' }, unreadable],
    ["a proxy's page", 200, '<html>Sign in</html>', { 'content-type': 'text/html' }, unreadable],
    ['a list', 200, '[1]', json, unreadable],
    ['a number', 200, '5', json, unreadable],
    ['null', 200, 'null', json, unreadable],
    ['a record of no profile', 200, '{"a":1}', json, unreadable],
    ['two answers in one', 200, '{"result":1}{"result":2}', json, unreadable],
  ])(proves('client.failures', '%s'), async (_title, status, body, headers, error) => {
    const client = createClient('http://localhost', answering(status, body, headers));
    expect(await client.call('F')).toMatchObject({ ok: false, error });
  });

  it(proves('client.failures', 'one that is unreachable'), async () => {
    const url = 'http://127.0.0.1:2'; // fetch refuses port 1 by itself
    for (const target of [url, `${url}/mcp`, `${url}/openapi.json`])
      expect(await createClient(target).call('F')).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
    await expect(createClient(url).list()).rejects.toThrow('cannot be reached');
    const refused = await createClient(url).call('F');
    expect(refused).toMatchObject({ error: { message: expect.stringContaining('ECONNREFUSED') } });
  });

  it(proves('client.failures', 'an invalid address, and an unknown wire'), () => {
    for (const address of ['localhost:8080', 'ftp://x', undefined as never])
      expect(() => createClient(address)).toThrow('must start with http:// or https://');
    expect(() => createClient('http://x', { wire: 'xml' as never })).toThrow(
      'wire must be http, mcp or openapi, not xml',
    );
  });

  it(proves('client.failures', 'one that is too slow, or whose document or connection hangs'), async () => {
    const hangs = () => new Promise<never>(() => {});
    const documentHangs = async (input: unknown) =>
      (input as URL).pathname.endsWith('/openapi.json') ? hangs() : Response.json({ result: 1 });
    for (const [path, fetcher] of [
      ['', documentHangs],
      ['', hangs],
      ['/openapi.json', hangs],
      ['/mcp', hangs],
    ] as const) {
      const client = createClient(`http://localhost${path}`, { fetch: fetcher });
      expect(await client.call('F', {}, { timeout: 50 })).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
    }
  });

  it(proves('client.failures', 'one that recovers is used again'), async () => {
    let isDown = true;
    const fetcher: typeof fetch = async (input, init) =>
      isDown ? new Response('', { status: 503 }) : app.fetch(new Request(input, init));
    for (const address of ['http://localhost', 'http://localhost/openapi.json']) {
      isDown = true;
      const client = createClient(address, { fetch: fetcher });
      await expect(client.list()).rejects.toThrow('is not an OpenAPI document');
      expect((await client.call('Split')).ok).toBe(false);
      isDown = false;
      expect(await client.call('Split')).toEqual({ ok: true, data: ['a', 2] });
      expect(await client.list()).toHaveLength(app.functions.length);
    }
  });

  it(proves('client.failures', 'an MCP server with endless cursors, and a failing connection'), async () => {
    let pages = 0;
    const client = createClient({
      callTool: async () => ({ content: [{ type: 'text', text: 'hi' }] }),
      listTools: async () => ({
        tools: [{ name: `t${pages++}`, inputSchema: { type: 'object' } }],
        nextCursor: 'again',
      }),
    });
    expect(await client.call('t0')).toEqual({ ok: true, data: 'hi' });
    expect(pages).toBe(2);
    expect(await client.call('t0', { n: NaN })).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENTS' } });
    const fetcher: typeof fetch = async () => new Response('', { status: 500 });
    const broken = createClient('http://localhost/mcp', { fetch: fetcher });
    await expect(broken.list()).rejects.toThrow('The server cannot be reached');
    await broken.close();
  });

  it(proves('client.failures', 'MCP errors keep the connection'), async () => {
    let connections = 0;
    const counting: typeof fetch = async (input, init) => {
      if (typeof init?.body === 'string' && /"initialize"|server.discover/.test(init.body)) connections++;
      return fetch(input, init);
    };
    const client = createClient(mcp.url, { fetch: counting });
    for (let i = 0; i < 3; i++) expect((await client.call('Nowhere')).ok).toBe(false);
    expect(connections).toBe(1);
    await client.close();
  });

  it(proves('client.failures', 'an MCP server that has forgotten a session gets another handshake'), async () => {
    let [session, handshakes] = ['', 0];
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      },
      'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'hi' }] },
    };
    const fetcher: typeof fetch = async (_, init) => {
      const { id, method } = JSON.parse((init?.body as string) ?? '{}') as { id?: number; method?: string };
      const result = results[method ?? ''];
      if (method === 'initialize') session = `s${++handshakes}`;
      else if (id !== undefined && new Headers(init?.headers).get('mcp-session-id') !== session)
        return Response.json({}, { status: 404 });
      if (!result) return new Response(null, { status: init?.method === 'POST' ? 202 : 405 });
      return Response.json({ jsonrpc: '2.0', id, result }, { headers: { 'mcp-session-id': session } });
    };
    const client = createClient('http://localhost/mcp', { fetch: fetcher });
    for (const n of [1, 2, 3]) {
      expect(await client.call('t')).toEqual({ ok: true, data: 'hi' });
      expect(handshakes).toBe(n);
      session = 'restarted';
    }
    await client.close();
  });

  it(proves('client.http', 'a base URL keeps its path, and loses its query'), async () => {
    const { seen, ...options } = answering(200, '{"result":1}', json);
    await createClient('http://localhost/api/v1?key=1#x', options).call('F');
    expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(['/api/v1/functions/F', '/api/v1/openapi.json']));
  });

  it(proves('client.failures', 'arguments that JSON cannot represent are not sent'), async () => {
    const { seen, ...options } = answering(200, '{}');
    const outcome = await createClient('http://localhost', options).call('F', { n: NaN });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENTS' } });
    expect(seen.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

describe('a client of a document with shared schemas', () => {
  const wants = { ok: true, data: expect.objectContaining({ placedAt: new Date('2026-01-02T03:04:05Z') }) as object };

  it.each(['', '?version=3.0', '?profiles=all', '?version=3.0&profiles=all'])(
    proves('client.openapi', 'decodes dates in results, listed with their arguments, from openapi.json%s'),
    async (variant) => {
      const client = createClient(`http://localhost/openapi.json${variant}`, {
        fetch: (input, init) => shop.fetch(new Request(input, init)),
      });
      expect(await client.call('functions.GetOrder', { id: 'o-1' })).toEqual(wants);
      const split = await client.call('functions.SplitOrder', { id: 'o-1', skus: [] });
      expect(split).toEqual({ ok: true, data: [wants.data, null] });
      expect(await client.call('functions.Ping')).toEqual({ ok: true, data: undefined });
      expect(await client.call('functions.GetOrder', { id: 'o-2' })).toMatchObject({
        ok: false,
        error: { code: 'ORDER_NOT_FOUND', message: 'Order not found: o-2' },
      });
      const imported = (await client.list()).find(({ name }) => name === 'functions.ImportOrder');
      expect(imported?.inputSchema).toMatchObject({
        properties: { order: { $ref: '#/$defs/OrderInput' } },
        $defs: { OrderInput: { properties: { total: { $ref: '#/$defs/Money' } } }, Money: { type: 'object' } },
      });
    },
  );

  it.each(profileNames)(proves('client.openapi', 'whatever the profile of the app is: %s'), async (profile) => {
    const functions = shop.functions.map(({ definition }) => definition);
    const profiled: App = createApp({ name: 'Shop', version: '1.0.0', functions, profile });
    const client = createClient('http://localhost/openapi.json', {
      fetch: (input, init) => profiled.fetch(new Request(input, init)),
    });
    expect(await client.call('functions.GetOrder', { id: 'o-1' })).toEqual(wants);
  });
});

describe('a client of functions with a path', () => {
  const data = { at: new Date('2026-01-02T03:04:05Z'), big: 2n ** 60n, raw: new Uint8Array([1, 2, 255]) };
  const properties = { at: forms.date, big: forms.bigint, raw: forms.bytes };
  const output = { type: 'object', properties, required: ['at', 'big', 'raw'] } as const;
  const kinds = ['POST', 'PUT', 'GET', 'status', 'operationId', 'group.Member'];
  const functions = kinds.map((name) => {
    const method = name === 'PUT' || name === 'GET' ? name : 'POST';
    const http = { method, path: `/own/${name}`, ...(name === 'status' && { status: 202 as const }) } as const;
    const own = name === 'operationId' ? { operationId: 'another' } : {};
    const rest = { hints: { readOnly: method === 'GET' }, output, yields: output, ...own };
    return defineFunction({
      name,
      description: 'Sends it',
      http,
      ...rest,
      async *run() {
        yield data;
        return data;
      },
    });
  });
  const apps = (['spec', 'portable'] as const).map((names) =>
    createApp({ name: 'Paths', version: '1.0.0', functions, names, log: silent }),
  );

  it.each(kinds)(proves('client.http', 'decodes dates, BigInt, bytes in results and chunks: %s'), async (name) => {
    for (const one of apps) {
      const client = createClient('http://localhost', { fetch: (url, init) => one.fetch(new Request(url, init)) });
      expect(await client.call(name)).toEqual({ ok: true, data });
      const stream = client.stream(name);
      for await (const chunk of stream) expect(chunk).toEqual(data);
      expect(await stream.outcome).toEqual({ ok: true, data });
    }
  });
});

describe('a client of any OpenAPI document', () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } };
  const string = { type: 'string' };
  const getPet = {
    operationId: 'getPet',
    summary: 'One pet',
    parameters: [
      { name: 'fields', in: 'query', schema: { type: 'array', items: string } },
      { name: 'X-Tenant', in: 'header', required: true, schema: string },
    ],
    responses: { 200: { description: 'The pet', content } },
  };
  const putPet = { operationId: 'putPet', requestBody: { content }, responses: { 204: { description: 'Done' } } };
  const petOf = (mother: string) => ({
    type: 'object',
    properties: { name: string, mother: { $ref: mother } },
    required: ['name'],
  });
  const document = {
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: '/api/v1' }],
    paths: { '/pets/{id}': { parameters: [{ $ref: '#/components/parameters/Id' }], get: getPet, put: putPet } },
    components: {
      parameters: { Id: { name: 'id', in: 'path', required: true, description: 'Whose', schema: string } },
      schemas: { Pet: petOf('#/components/schemas/Pet') },
    },
  };
  /** The document, and for everything else the response. */
  const documented =
    (described: object, answer: typeof fetch): typeof fetch =>
    async (input, init) =>
      new URL(input as URL).pathname.endsWith('/openapi.json') ? Response.json(described) : answer(input, init);

  it(proves('client.openapi', 'puts arguments where the document says'), async () => {
    const { seen, fetch: answer } = answering(200, '{"name":"Rex"}', { 'content-type': 'application/json' });
    const options = { fetch: documented(document, answer), headers: { authorization: 'Bearer t' } };
    const client = createClient('http://localhost/openapi.json', options);
    const asked = { id: 'a/b', fields: ['x', 'y'], 'X-Tenant': 'acme' };
    expect(await client.call('getPet', asked)).toEqual({ ok: true, data: { name: 'Rex' } });
    expect(await client.call('putPet', { id: '7', name: 'Rex' })).toMatchObject({ ok: true });
    expect(seen.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/api/v1/pets/a%2Fb?fields=x&fields=y', undefined],
      ['PUT', '/api/v1/pets/7', '{"name":"Rex"}'],
    ]);
    expect(seen[0]?.headers).toMatchObject({ 'x-tenant': 'acme', authorization: 'Bearer t' });
    for (const [name, input, message] of [
      ['getPet', { id: '1' }, 'Invalid arguments: /X-Tenant: required'],
      ['getPet', { id: '1', 'X-Tenant': 'a', other: 1 }, 'Invalid arguments: /other: not a known field'],
      ['getPets', {}, 'Function not found: getPets (did you mean getPet?)'],
    ] as const)
      expect(await client.call(name, input)).toMatchObject({ error: { message } });
  });

  it(proves('client.openapi', 'lists its operations as functions, with references resolved'), async () => {
    const client = createClient('http://localhost/openapi.json', { fetch: async () => Response.json(document) });
    const [get, put] = await client.list();
    expect(get).toMatchObject({ name: 'getPet', title: 'One pet', inputSchema: { required: ['id', 'X-Tenant'] } });
    expect(put?.inputSchema).toEqual({
      type: 'object',
      properties: { id: { ...string, description: 'Whose' }, name: string, mother: { $ref: '#/$defs/Pet' } },
      required: ['id', 'name'],
      $defs: { Pet: petOf('#/$defs/Pet') },
    });
  });

  it(proves('client.openapi', 'returns any successful body as data'), async () => {
    const operation = { operationId: 'get', responses: { 200: { description: 'Any' } } };
    const record = { content: [{ text: 'a', id: 1 }] };
    for (const body of [{ error: 'none' }, { title: 'Dune', status: 1965 }, record, {}, 'hello', 5, null, true]) {
      const fetcher = documented({ paths: { '/x': { get: operation } } }, async () => Response.json(body));
      const client = createClient('http://localhost/openapi.json', { fetch: fetcher });
      expect(await client.call('get')).toEqual({ ok: true, data: body });
    }
  });

  it(proves('client.openapi', 'supports server variables, unusual paths, cookies, whole bodies'), async () => {
    const asked: [string, string, string | null][] = [];
    const requestBody = { content: { 'application/json': { schema: { type: 'array' } } } };
    const parameters = [
      { name: 'id', in: 'path', required: true, schema: string },
      { name: 'sid', in: 'cookie', schema: string },
    ];
    const described = {
      servers: [{ url: 'http://api.localhost/{base}/', variables: { base: { default: 'v2' } } }],
      paths: {
        '/items:batch': { post: { operationId: 'batch', requestBody } },
        '/users/{id}': { get: { operationId: 'one', parameters } },
      },
    };
    const fetcher = documented(described, async (input, init) => {
      const { href } = new URL(input as URL);
      asked.push([href, (init?.body ?? 'none') as string, new Headers(init?.headers).get('cookie')]);
      return Response.json(1);
    });
    const client = createClient('http://localhost/doc/openapi.json', { fetch: fetcher });
    await client.call('batch', { body: [1, 2] });
    await client.call('one', { id: 'a/..', sid: 'c' });
    expect(await client.call('one', { id: '..' })).toMatchObject({
      error: { message: 'Invalid arguments: /id: not allowed in a path' },
    });
    expect(asked).toEqual([
      ['http://api.localhost/v2/items:batch', '[1,2]', null],
      ['http://api.localhost/v2/users/a%2F..', 'none', 'sid=c'],
    ]);
  });

  it(proves('client.failures', 'reports that it is not a document'), async () => {
    const message = expect.stringContaining('is not an OpenAPI document in JSON');
    const outcome = await createClient('http://localhost/openapi.json', answering(200, '<html>')).call('x');
    expect(outcome).toMatchObject({ ok: false, error: { code: 'INVALID_RESPONSE_FORMAT', message } });
  });
});

/** An served behind a server of the MCP SDK, like a hand-written one. Its bodies have the mcp profile. */
function mcpServerOf(served: App): McpServer {
  const server = new McpServer({ name: served.name, version: served.version }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => ({
    tools: served.functions.map((fn) => ({
      name: fn.operationId,
      title: fn.title,
      description: fn.description,
      inputSchema: fn.inputSchema as { type: 'object' },
      outputSchema: served.profiles.plain.successSchema(fn.returned) as { type: 'object' },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const call = { name: params.name, input: params.arguments, caller: { wire: 'mcp' } };
    const { outcome, body } = await served.respond(call, served.profiles.mcp);
    if (!outcome.ok && outcome.error.code === 'FUNCTION_NOT_FOUND') {
      throw new ProtocolError(-32602, outcome.error.message, { code: outcome.error.code });
    }
    return JSON.parse(body) as { content: [] };
  });
  return server;
}

/** The same over Streamable HTTP, on a free port, in both revisions. */
async function serveMcp(served: App): Promise<Server> {
  const handler = toNodeHandler(createMcpHandler(() => mcpServerOf(served)));
  const server = await startServer((request, response) => void handler(request as never, response));
  return { ...server, url: `${server.url}/mcp` };
}

// Imports nothing from Node on purpose: this must work in any runtime with Request and Response.
import { createApp, defineFunction } from 'everywire';
import { expect, it } from 'vitest';
import { proves } from '../promises.ts';

const app = createApp({
  name: 'Anywhere',
  version: '1.0.0',
  limits: { body: 100 },
  functions: [
    defineFunction({
      name: 'Greet',
      description: 'Greets',
      input: { type: 'object', properties: { who: { type: 'string', description: 'Whom' } }, required: ['who'] },
      output: { type: 'string', description: 'A greeting' },
      run: ({ who }) => `Hello, ${who}`,
    }),
  ],
});

const greet = (body: BodyInit) =>
  app.fetch(
    new Request('https://any.example/functions/Greet', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit),
  );

it(proves('http.fetch', 'reads a body byte by byte, up to the limit'), async () => {
  const bytesOf = (text: string) =>
    new ReadableStream({
      start(controller) {
        for (const byte of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
  expect(await (await greet(bytesOf('{"who":"zwölf 😀"}'))).text()).toBe('{"result":"Hello, zwölf 😀"}');
  expect((await greet(bytesOf(`{"who":"${'a'.repeat(100)}"}`))).status).toBe(413);
});

it(proves('http.fetch', 'responds to a body that breaks off'), async () => {
  const broken = new ReadableStream({
    pull(controller) {
      controller.error(new Error('gone'));
    },
  });
  const response = await greet(broken);
  expect([response.status, await response.text()]).toEqual([400, '{"error":"The body could not be read"}']);
});

const at = (path: string, body?: string) =>
  new Request(`https://any.example${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  });

it(proves('embed.fetch', 'serves below a base, and nowhere else'), async () => {
  const options = { base: '/api' };
  expect(await (await app.fetch(at('/api/functions/Greet', '{"who":"you"}'), options)).json()).toEqual({
    result: 'Hello, you',
  });
  const elsewhere = await app.fetch(at('/functions/Greet', '{"who":"you"}'), options);
  expect([elsewhere.status, await elsewhere.text()]).toEqual([404, '{"error":"No such path: /functions/Greet"}']);
  expect((await app.fetch(at('/apifunctions/Greet', '{}'), options)).status).toBe(404);
  for (const base of ['/api', '/a/b', '/']) {
    const document = await app.fetch(at(`${base === '/' ? '' : base}/openapi.json`), { base });
    expect(await document.json()).toMatchObject({ servers: [{ url: base }] });
  }
});

it(proves('embed.options', 'takes any number of bases and environments, and forgets old ones'), async () => {
  for (let i = 0; i < 40; i++) {
    const options = { base: `/t${i}`, environment: { env: { TENANT: String(i) } } };
    const [document, call] = await Promise.all([
      app.fetch(at(`/t${i}/openapi.json`), options),
      app.fetch(at(`/t${i}/functions/Greet`, '{"who":"you"}'), { ...options }),
    ]);
    expect(await document.json()).toMatchObject({ servers: [{ url: `/t${i}` }] });
    expect(call.status).toBe(200);
  }
});

it(proves('embed.options', 'ends no running call when it forgets an environment'), async () => {
  let finish = (_name: string) => {};
  const slow = createApp({
    name: 'Slow',
    version: '1.0.0',
    functions: [
      defineFunction({
        name: 'Wait',
        description: 'Waits to be told',
        output: { type: 'string', description: 'A name' },
        run: (_input, { env, progress }) => {
          progress(1);
          return env.get('NAME') ?? new Promise<string>((resolve) => (finish = resolve));
        },
      }),
    ],
  });
  const META = 'io.modelcontextprotocol/';
  const _meta = {
    progressToken: 1,
    [`${META}protocolVersion`]: '2026-07-28',
    [`${META}clientInfo`]: { name: 'x', version: '1' },
    [`${META}clientCapabilities`]: {},
  };
  const name = 'functions.Wait';
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta } };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
  /** Not on the fast path: the MCP SDK streams progress, and then the result. */
  const send = (environment: object) => {
    const request = at('/mcp', JSON.stringify(message));
    for (const [header, value] of Object.entries(headers)) request.headers.set(header, value);
    request.headers.set('accept', 'application/json, text/event-stream');
    return slow.fetch(request, { environment });
  };
  const running = await send({});
  expect(running.headers.get('content-type')).toBe('text/event-stream');
  for (let i = 0; i < 40; i++) expect(await (await send({ env: { NAME: String(i) } })).text()).toContain(`"${i}"`);
  finish('done');
  expect(await running.text()).toContain('"done"');
});

it(proves('embed.options', 'refuses options that are wrong'), async () => {
  const wrong = (options: unknown) => app.fetch(at('/openapi.json'), options as object);
  await expect(wrong({ bse: '/api' })).rejects.toThrow('app.fetch: unknown option "bse" (did you mean "base"?)');
  await expect(wrong({ base: 'api' })).rejects.toThrow('base must be a path such as "/api", not "api"');
  await expect(wrong({ environment: { env: { KEY: {} } } })).rejects.toThrow('environment.env.KEY must be a string');
  await expect(wrong('/api')).rejects.toThrow('app.fetch: options must be an object');
});

it(proves('embed.fetch', 'is called by runtimes with arguments of their own'), async () => {
  const variables = createApp({
    name: 'Variables',
    version: '1.0.0',
    functions: [
      defineFunction({
        name: 'List',
        description: 'Lists variables',
        output: { type: 'object', description: 'All of them', additionalProperties: true },
        run: (_input, { env }) => env.list(),
      }),
    ],
  });
  const list = async (...given: [] | [unknown, unknown]) => {
    const [options, context] = given;
    const response = await (given.length === 2
      ? variables.fetch(at('/functions/List', '{}'), options, context)
      : variables.fetch(at('/functions/List', '{}')));
    return ((await response.json()) as { result: unknown }).result;
  };
  expect(await list()).toEqual({});
  // Options of ours have no meaning among the bindings of a worker.
  const bindings = { SECRET: 'x', base: '/api', STORE: { get() {} } };
  expect(await list(bindings, { waitUntil() {} })).toEqual({ SECRET: 'x', base: '/api' });
  expect(await list({ incoming: {}, outgoing: {} }, undefined)).toEqual({});
  for (const info of [{ requestIP() {} }, { remoteAddr: {} }])
    expect((await variables.fetch(at('/functions/List', '{}'), info)).status).toBe(200);
  // As the types of the runtimes declare their handlers.
  const bun: (request: Request, server: { requestIP(): null; port: number }) => Promise<Response> = variables.fetch;
  const deno: (request: Request, info: { remoteAddr: object; completed: unknown }) => Promise<Response> =
    variables.fetch;
  const worker: (request: Request, env: { KEY: string }, context: { waitUntil(): void }) => Promise<Response> =
    variables.fetch;
  expect([bun, deno, worker]).toEqual([variables.fetch, variables.fetch, variables.fetch]);
});

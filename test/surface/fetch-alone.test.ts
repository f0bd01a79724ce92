// Imports nothing from Node on purpose: this must work in any runtime with Request and Response.
import { createApp, defineFunction } from 'everywire';
import { expect, it } from 'vitest';
import { asJson } from '../kit/as-json.ts';
import { META } from '../mcp/mcp-post.ts';
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
  app.fetch(new Request('https://any.example/functions/Greet', { ...asJson(), body, duplex: 'half' } as RequestInit));

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
  new Request(`https://any.example${path}`, body === undefined ? {} : asJson(body));

it(proves('embed.fetch', 'serves below a base, and nowhere else'), async () => {
  const options = { base: '/api' };
  const greeted = await app.fetch(at('/api/functions/Greet', '{"who":"you"}'), options);
  expect(await greeted.json()).toEqual({ result: 'Hello, you' });
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
  const name = 'functions.Wait';
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: {}, _meta: { progressToken: 1, ...META } },
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
  /** Not on the fast path: the MCP SDK streams progress, and then the result. */
  const send = (environment: object) => {
    const accept = 'application/json, text/event-stream';
    const request = new Request('https://any.example/mcp', asJson(message, { ...headers, accept }));
    return slow.fetch(request, { environment });
  };
  const running = await send({});
  expect(running.headers.get('content-type')).toBe('text/event-stream');
  for (let i = 0; i < 40; i++) expect(await (await send({ env: { NAME: String(i) } })).text()).toContain(`"${i}"`);
  finish('done');
  expect(await running.text()).toContain('"done"');
});

it(proves('embed.options', 'refuses options that are wrong'), async () => {
  for (const [options, message] of [
    [{ bse: '/api' }, 'app.fetch: unknown option "bse" (did you mean "base"?)'],
    [{ base: 'api' }, 'base must be a path such as "/api", not "api"'],
    [{ environment: { env: { KEY: {} } } }, 'environment.env.KEY must be a string'],
    ['/api', 'app.fetch: options must be an object'],
  ] as const)
    await expect(app.fetch(at('/openapi.json'), options as object)).rejects.toThrow(message);
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

import { createApp } from 'everywire';
import { serve, type NodeHost } from 'everywire/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import app, { keys, options } from '../apps/access.ts';
import { INITIALIZE, begin, legacy, modern, post } from '../mcp/mcp-post.ts';
import { expectErrors } from '../kit/errors.ts';
import { proves } from '../promises.ts';

expectErrors(/"message":"the session store is down"/);

let host: NodeHost;
beforeAll(async () => void (host = await serve(app, { port: 0 })));
afterAll(() => host.drain());

const METADATA = 'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp"';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

type Params = Readonly<Record<string, unknown>>;

/** The same message in both revisions, on the fast path, and in ways that only the SDK handles. */
const WAYS: Record<string, (method: string, params: Params, headers: Record<string, string>) => Promise<Response>> = {
  'legacy, fast path': (method, params, headers) => legacy(host.url, { method, params }, undefined, undefined, headers),
  'legacy, SDK with progress': (method, params, headers) =>
    legacy(host.url, { method, params: { ...params, ...PROGRESS } }, undefined, undefined, headers),
  'legacy, in a session': async (method, params, headers) =>
    legacy(host.url, { method, params }, await begin(host.url), undefined, headers),
  'modern, fast path': (method, params, headers) => modern(host.url, { method, params }, undefined, headers),
  'modern, SDK with progress': (method, params, headers) =>
    modern(host.url, { method, params: { ...params, ...PROGRESS } }, undefined, headers),
};
const PROGRESS = { _meta: { progressToken: 1 } };

const facts = async (response: Response) => ({
  status: response.status,
  challenge: response.headers.get('www-authenticate'),
  type: response.headers.get('content-type'),
  code: response.headers.get('everywire-error-code'),
  body: (await response.json()) as unknown,
});

const UNKNOWN = 'Invalid credentials: nobody recognises it';
const NEEDS = 'This needs the scope read';
const READ = { name: 'functions.Read', arguments: { id: '1' } };

describe.each(Object.entries(WAYS))('%s', (_way, send) => {
  /** What is sent with a challenge, whose parts after the metadata are `more`. */
  const refused = (status: number, code: string, message: string, details: object, more: string) => ({
    status,
    challenge: `Bearer ${METADATA}${more}`,
    type: 'application/json',
    code,
    body: { jsonrpc: '2.0', id: 1, error: { code: -32600, message, data: { code, details } } },
  });
  const named = (error: string, message: string) => `, error="${error}", error_description="${message}"`;

  it.each([
    ['tools/call', READ],
    ['resources/read', { uri: 'note://one' }],
    ['prompts/get', { name: 'Greet' }],
  ])(proves('access.mcp', 'refuses %s'), async (method, params) => {
    const scopes = { scopes: ['read'] };
    for (const [headers, expected] of [
      [{}, refused(401, 'UNAUTHENTICATED', 'Authentication is required', scopes, ', scope="read"')],
      [
        bearer('wrong'),
        refused(401, 'UNAUTHENTICATED', UNKNOWN, { error: 'invalid_token' }, named('invalid_token', UNKNOWN)),
      ],
      [
        bearer(keys.nobody),
        refused(
          403,
          'FORBIDDEN',
          NEEDS,
          { ...scopes, required: ['read'] },
          `${named('insufficient_scope', NEEDS)}, scope="read"`,
        ),
      ],
    ] as const)
      expect(await facts(await send(method, params, headers))).toEqual(expected);
    const malformed = await facts(await send(method, params, { authorization: 'Bearer' }));
    expect([malformed.status, malformed.code]).toEqual([400, 'BAD_REQUEST']);
    const allowed = await send(method, params, { 'x-api-key': keys.reader });
    expect([allowed.status, (await allowed.text()).includes('"result"')]).toEqual([200, true]);
  });

  it(proves('access.mcp', 'refuses scopes of the arguments'), async () => {
    const write = { name: 'functions.Write', arguments: { shop: 'b' } };
    const response = await facts(await send('tools/call', write, bearer(keys.admin)));
    expect([response.status, response.challenge]).toEqual([
      403,
      `Bearer ${METADATA}, error="insufficient_scope", error_description="This needs the scope write:b", scope="read write:b"`,
    ]);
  });

  it(proves('access.mcp', 'refuses wrong credentials everywhere'), async () => {
    for (const method of ['tools/list', 'prompts/list']) {
      expect((await send(method, {}, bearer('wrong'))).status, method).toBe(401);
      expect((await send(method, {}, {})).status, method).toBe(200);
    }
    expect((await send('tools/list', {}, bearer('down'))).status).toBe(503);
  });

  it(proves('access.caller', 'a tool sees who calls'), async () => {
    const headers = { ...bearer(keys.reader), 'x-tenant': 'blue' };
    const response = await send('tools/call', { name: 'functions.WhoAmI' }, headers);
    const text = await response.text();
    expect(text).toContain('\\"id\\":\\"reader\\"');
    expect(text).toContain('\\"address\\":\\"127.0.0.1\\"');
    expect(text).toContain('\\"x-tenant\\":\\"blue\\"');
  });
});

it(proves('access.mcp', 'a batch keeps the responses of its other messages'), async () => {
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'functions.WhoAmI' } },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: READ },
  ];
  const response = await post(host.url, messages, { 'mcp-protocol-version': '2025-03-26' });
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(text).toContain('anonymous');
  expect(text).toContain('UNAUTHENTICATED');
  expect((await post(host.url, messages, { ...bearer('wrong'), 'mcp-protocol-version': '2025-03-26' })).status).toBe(
    401,
  );
});

it(proves('access.mcp', 'refused calls are recorded'), async () => {
  const codes: string[] = [];
  const audited = createApp({ ...options, audit: { to: ({ code }) => void codes.push(code) } });
  const send = (method: string, params: Params, headers: Record<string, string>) =>
    post(audited, { jsonrpc: '2.0', id: 1, method, params }, headers);
  await send('tools/call', READ, {});
  await send('tools/call', READ, bearer('wrong'));
  await send('tools/call', READ, bearer(keys.nobody));
  await send('resources/read', { uri: 'note://one' }, bearer('wrong'));
  expect(codes).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED', 'FORBIDDEN', 'UNAUTHENTICATED']);
});

it(proves('access.mcp-session', 'nobody else can use a session'), async () => {
  const opened = await post(host.url, INITIALIZE, bearer(keys.reader));
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await opened.text();
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  expect((await post(host.url, ping, { ...session, ...bearer(keys.reader) })).status).toBe(200);
  expect((await post(host.url, ping, { ...session, ...bearer(keys.admin) })).status).toBe(404);
  expect((await post(host.url, ping, session)).status).toBe(404);
  const listen = (headers: Record<string, string>) =>
    fetch(`${host.url}/mcp`, { headers: { accept: 'text/event-stream', ...session, ...headers } });
  expect((await listen({})).status).toBe(404);
  expect((await listen(bearer('wrong'))).status).toBe(401);
  expect((await listen(bearer(keys.admin))).status).toBe(404);
  const ended = await fetch(`${host.url}/mcp`, { method: 'DELETE', headers: { ...session, ...bearer(keys.admin) } });
  expect(ended.status).toBe(404);
  expect((await post(host.url, ping, { ...session, ...bearer(keys.reader) })).status).toBe(200);
});

it(proves('access.mcp-session', 'a client may authenticate within a session, which is then its own'), async () => {
  const session = { 'mcp-session-id': await begin(host.url) };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: READ };
  expect((await post(host.url, call, session)).status).toBe(401);
  expect((await post(host.url, call, { ...session, ...bearer(keys.reader) })).status).toBe(200);
  expect((await post(host.url, call, session)).status).toBe(404);
});

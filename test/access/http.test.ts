import { createApp } from 'everywire';
import { createServer, serve, type NodeHost } from 'everywire/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import app, { keys, options } from '../apps/access.ts';
import { asJson } from '../kit/as-json.ts';
import { expectErrors } from '../kit/errors.ts';
import { raw, requestText, statusOf } from '../kit/raw.ts';
import { proves } from '../promises.ts';

expectErrors(/the session store is down/);

let host: NodeHost;
beforeAll(async () => void (host = await serve(app, { port: 0 })));
afterAll(() => host.drain());

const METADATA = 'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const call = (name: string, input: unknown, headers: Record<string, string> = {}) =>
  fetch(`${host.url}/functions/${name}`, asJson(input, headers));

const factsOf = ({ status, headers }: Response, ...names: string[]) => [
  status,
  ...names.map((name) => headers.get(name)),
];

/** Sends headers as they are written, also twice. */
async function callRaw(headers: readonly string[]): Promise<{ status: number; challenge: string | undefined }> {
  const lines = ['Host: localhost', ...headers, 'Connection: close'];
  const reply = await raw(host.url, requestText('GET /functions/WhoAmI', lines));
  return { status: statusOf(reply), challenge: /^www-authenticate: (.*)\r$/im.exec(reply)?.[1] };
}

describe('credentials', () => {
  it.each([
    ['Authorization', `Bearer ${keys.reader}`],
    ['authorization', `bearer   ${keys.reader}`],
    ['AUTHORIZATION', `BEARER ${keys.reader}`],
    ['X-API-Key', keys.reader],
  ])(proves('access.credentials', 'are read from %s: %s'), async (name, value) => {
    const response = await call('Read', { id: '1' }, { [name]: value });
    expect([response.status, await response.text()]).toEqual([200, '{"result":"1"}']);
  });

  const MALFORMED = `Bearer ${METADATA}, error="invalid_request", error_description="The credentials are malformed, or there is more than one"`;
  it.each([
    ['no token', ['Authorization: Bearer']],
    ['no scheme', ['Authorization: "quoted"']],
    ['a token and a key', [`Authorization: Bearer ${keys.reader}`, `X-API-Key: ${keys.reader}`]],
    ['two tokens', [`Authorization: Bearer ${keys.reader}`, `authorization: Bearer ${keys.admin}`]],
    ['two keys', [`X-API-Key: ${keys.reader}`, `x-api-key: ${keys.reader}`]],
  ])(proves('access.credentials', 'are refused, also for what is public: %s'), async (_what, headers) => {
    expect(await callRaw(headers)).toEqual({ status: 400, challenge: MALFORMED });
  });

  it.each(['Basic YTpi', 'Bearerish abc'])(proves('access.credentials', 'of another scheme: %s'), async (value) => {
    expect(await callRaw([`Authorization: ${value}`])).toEqual({ status: 401, challenge: `Bearer ${METADATA}` });
  });

  it.each(['access_token', 'X-API-Key'])(proves('access.credentials', 'not read from the query: %s'), async (name) => {
    const response = await fetch(`${host.url}/functions/Read?id=1&${name}=${keys.reader}`);
    expect(response.status).toBe(401);
  });
});

describe('refusals', () => {
  const named = (error: string, text: string, scope = '') => `, error="${error}", error_description="${text}"${scope}`;
  const invalid = (reason: string) => named('invalid_token', `Invalid credentials: ${reason}`);
  const needs = (scope: string, all = scope) =>
    named('insufficient_scope', `This needs the scope ${scope}`, `, scope="${all}"`);

  it.each([
    ['nobody', 'Read', {}, 401, ', scope="read"'],
    ['nobody, without fixed scopes', 'SignedIn', {}, 401, ''],
    ['a wrong key', 'Read', bearer('wrong'), 401, invalid('nobody recognises it')],
    ['a reason with special characters', 'WhoAmI', bearer('expired'), 401, invalid("it has 'expired' ? sorry")],
    ['a missing scope', 'Read', bearer(keys.nobody), 403, needs('read')],
    ['a missing scope of the arguments', 'Write', bearer(keys.reader), 403, needs('write:a', 'read write:a')],
    ['a missing scope of a nested call', 'Outer', bearer(keys.nobody), 403, needs('read')],
  ])(proves('access.challenge', 'have a challenge: %s'), async (_what, name, headers, status, challenge) => {
    const response = await call(name, { id: '1', shop: 'a' }, headers);
    expect(factsOf(response, 'everywire-error-code', 'www-authenticate')).toEqual([
      status,
      status === 401 ? 'UNAUTHENTICATED' : 'FORBIDDEN',
      `Bearer ${METADATA}${challenge}`,
    ]);
    expect(Object.keys((await response.json()) as object)).toEqual(['error']);
  });

  it(proves('access.challenge', 'name a realm if no server issues tokens'), async () => {
    const { servers: _, url: __, ...access } = options.access;
    const closed = createApp({ ...options, name: 'The "app" \u00E9', access });
    const response = await closed.fetch(new Request('http://localhost/functions/SignedIn', { method: 'POST' }));
    expect(response.headers.get('www-authenticate')).toBe(`Bearer realm="The 'app' ?"`);
    const found = await closed.fetch(new Request('http://localhost/.well-known/oauth-protected-resource'));
    expect([found.status, found.headers.get('everywire-error-code')]).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    ['not JSON', { body: '{' }],
    ['arguments that break the schema', { body: '{"id":{}}' }],
    ['another media type', { body: 'x', headers: { 'content-type': 'image/png' } }],
    ['a query on a POST', { body: '{}', path: '?x=1' }],
  ])(proves('access.first', 'come before what is wrong with the arguments: %s'), async (_what, sent) => {
    const { path = '', headers, body } = sent as { path?: string; headers?: Record<string, string>; body: string };
    const ask = (more: object) => fetch(`${host.url}/functions/Read${path}`, asJson(body, { ...headers, ...more }));
    expect((await ask({})).status).toBe(401);
    expect((await ask(bearer(keys.nobody))).status).toBe(403);
    expect([400, 415]).toContain((await ask(bearer(keys.reader))).status);
  });

  it(proves('access.first', 'apply to streams, files and resources'), async () => {
    const accept = { accept: 'text/event-stream' };
    const form = () => {
      const data = new FormData();
      data.set('file', new Blob(['abc']), 'a.txt');
      return { method: 'POST', body: data };
    };
    const requests: [string, (headers: Record<string, string>) => RequestInit, string][] = [
      ['/functions/Count', (headers) => ({ method: 'POST', headers: { ...headers, ...accept } }), 'event: result'],
      ['/functions/Download', (headers) => ({ method: 'POST', headers }), 'secret content'],
      ['/functions/Upload', (headers) => ({ ...form(), headers }), '{"result":3}'],
      ['/functions/Read?id=1', (headers) => ({ headers }), '{"result":"1"}'],
      [`/resources/${encodeURIComponent('note://one')}`, (headers) => ({ headers }), 'A note'],
    ];
    for (const [path, init, expected] of requests) {
      const ask = (headers: Record<string, string>) => fetch(host.url + path, init(headers));
      const refused = [await ask({}), await ask(bearer(keys.nobody)), await ask(bearer('wrong'))];
      expect([path, ...refused.map(({ status }) => status)]).toEqual([path, 401, 403, 401]);
      for (const one of refused) {
        expect(one.headers.get('www-authenticate')).toContain(METADATA);
        expect(await one.text()).not.toContain('secret');
      }
      const allowed = await ask(bearer(keys.admin));
      expect([allowed.status, (await allowed.text()).includes(expected)], path).toEqual([200, true]);
    }
  });
});

describe('the metadata', () => {
  it.each([
    ['', 'https://api.example.com'],
    ['/mcp', 'https://api.example.com/mcp'],
  ])(proves('access.metadata', 'is served without credentials, for every origin: %s'), async (path, resource) => {
    const url = `${host.url}/.well-known/oauth-protected-resource${path}`;
    const headers = { origin: 'https://elsewhere.example' };
    const response = await fetch(url, { headers });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(await response.json()).toEqual({
      resource,
      authorization_servers: ['https://auth.example.com'],
      scopes_supported: ['read'],
      bearer_methods_supported: ['header'],
      resource_name: 'Access',
    });
    expect((await fetch(url, { headers: { ...headers, ...bearer('wrong') } })).status).toBe(200);
    const head = await fetch(url, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'mcp-protocol-version' };
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { ...headers, ...asked } });
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': '*',
    });
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  });

  it(proves('access.metadata', 'is for every origin also if the app allows others, and nothing else is'), async () => {
    const shared = createApp({ ...options, cors: { origins: ['https://pages.example'], credentials: true } });
    const get = (path: string) =>
      shared.fetch(new Request(`http://localhost${path}`, { headers: { origin: 'https://elsewhere.example' } }));
    const found = await get('/.well-known/oauth-protected-resource');
    expect(found.headers.get('access-control-allow-origin')).toBe('*');
    expect(found.headers.get('access-control-allow-credentials')).toBeNull();
    expect((await get('/openapi.json')).status).toBe(403);
    expect((await get('/.well-known/oauth-protected-resource/other')).status).toBe(404);
  });

  it(proves('access.metadata', 'knows the path of an app below a path, and hides what is hidden'), async () => {
    const access = { ...options.access, url: 'https://example.com/shop', hide: true };
    const shop = createApp({ ...options, access });
    const get = async (path: string) => {
      const response = await shop.fetch(new Request(`http://localhost/.well-known/oauth-protected-resource${path}`));
      return (await response.json()) as Record<string, unknown>;
    };
    expect(await get('/shop/mcp')).toEqual(await get('/mcp'));
    expect(await get('/shop')).toMatchObject({ resource: 'https://example.com/shop' });
    expect(Object.keys(await get(''))).not.toContain('scopes_supported');
  });
});

it(proves('access.metadata', 'a server with several apps finds the one that a path is about'), async () => {
  const at = (path: string) =>
    createApp({ ...options, access: { ...options.access, url: `https://example.com${path}` } });
  const several = await createServer({ '/v1': at('/v1'), '/v10': at('/v10') }, { port: 0 });
  const found = async (path: string) => {
    const response = await fetch(several.url + path);
    return response.ok ? ((await response.json()) as { resource: string }).resource : response.status;
  };
  expect(await found('/.well-known/oauth-protected-resource/v1')).toBe('https://example.com/v1');
  expect(await found('/.well-known/oauth-protected-resource/v10/mcp')).toBe('https://example.com/v10/mcp');
  expect(await found('/v1/.well-known/oauth-protected-resource/mcp')).toBe('https://example.com/v1/mcp');
  expect(await found('/.well-known/oauth-protected-resource')).toBe(404);
  expect(await found('/.well-known/oauth-protected-resource/v2')).toBe(404);
  await several.drain();
});

it(proves('access.caller', 'a function sees the address, the scheme and the chosen headers'), async () => {
  const response = await fetch(`${host.url}/functions/WhoAmI`, {
    headers: { ...bearer(keys.reader), 'x-tenant': 'blue', 'x-request-id': 'r1', cookie: 'a=b' },
  });
  expect(await response.json()).toEqual({
    result: {
      id: 'reader',
      kind: 'key',
      address: '127.0.0.1',
      scheme: 'http',
      headers: { 'x-tenant': 'blue' },
      requestId: 'r1',
      variables: [],
    },
  });
});

it(proves('access.caches', 'responses depend on the credential'), async () => {
  const response = await fetch(`${host.url}/functions/Read?id=1`, { headers: { 'x-api-key': keys.reader } });
  const VARY = 'Accept, Authorization, X-API-Key, X-Tenant';
  expect(factsOf(response, 'cache-control', 'vary')).toEqual([200, 'max-age=60', VARY]);
  const refused = await fetch(`${host.url}/functions/Read?id=1`);
  expect(refused.headers.get('cache-control')).toBe('no-store');
  // A cached response of somebody else does not help.
  const etag = response.headers.get('etag') ?? '';
  expect((await fetch(`${host.url}/functions/Read?id=1`, { headers: { 'if-none-match': etag } })).status).toBe(401);
});

it(proves('access.openapi', 'schemes, scopes and refusals'), async () => {
  const { security, paths, components } = (await (await fetch(`${host.url}/openapi.json`)).json()) as any;
  const operation = (name: string) => Object.values<any>(paths[`/functions/${name}`])[0];
  expect(security).toEqual([{ bearer: [] }, { apiKey: [] }]);
  expect(components.securitySchemes).toEqual({
    bearer: { type: 'http', scheme: 'bearer', description: 'A token or an API key.' },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
  });
  expect(operation('WhoAmI').security).toEqual([]);
  expect(operation('Read').security).toEqual([{ bearer: ['read'] }, { apiKey: ['read'] }]);
  expect(operation('Write')).not.toHaveProperty('security');
  expect(operation('SignedIn')).not.toHaveProperty('security');
  expect(operation('Read').responses['401']).toEqual({ $ref: '#/components/responses/Unauthenticated' });
  expect(operation('Read').responses['403']).toEqual({ $ref: '#/components/responses/Forbidden' });
  expect(operation('WhoAmI').responses).not.toHaveProperty('403');
  expect(components.responses['Unauthenticated'].headers).toHaveProperty('WWW-Authenticate');
});

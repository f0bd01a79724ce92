import { describe, expect, it } from 'vitest';
import type { AppOptions } from '../../src/app/app.ts';
import { createApp } from '../../src/app/create-app.ts';
import { refuse } from '../../src/core/failure.ts';
import { forms } from '../../src/index.ts';
import { defineFunction } from '../../src/core/function.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import type { HttpRequest } from '../../src/wires/http/message.ts';
import { createChallenge } from '../../src/wires/http/challenge.ts';
import { etagOf, isKnown } from '../../src/wires/http/etag.ts';
import { ComponentNames, toItemName, toPascalCase } from '../../src/wires/http/openapi/names.ts';
import { IDEMPOTENCY_KEY, TASK } from '../../src/wires/http/openapi/task-schemas.ts';
import { describeSecurity } from '../../src/wires/http/openapi/security.ts';
import { createPublicUrl } from '../../src/wires/http/public-url.ts';
import { refuseSimple } from '../../src/wires/http/simple-request.ts';
import { isStreamType, streamTypeIn } from '../../src/wires/http/stream-type.ts';
import { handleCgi } from '../../src/hosts/cgi.ts';
import { proves } from '../promises.ts';
import { hostInTarget, parseBase, splitTarget, targetBelow } from '../../src/wires/http/target.ts';

const GET: HttpRequest = { method: 'GET', target: '/', headers: {}, body: new Uint8Array() };
const request = (parts: Partial<HttpRequest> = {}): HttpRequest => ({ ...GET, ...parts });

const appWith = (access?: AppOptions['access'], functions: AppOptions['functions'] = []) =>
  createApp({ name: 'Shöp "1"', version: '1', functions, ...(access && { access }) });

it.each(['application/json', 'multipart/form-data; boundary=b'])(
  proves('cgi.body', 'a body without a length that never ends is refused: %s'),
  async (type) => {
    const input = { type: 'object', properties: { file: { ...forms.file, description: 'f' } } } as const;
    const take = defineFunction({ name: 'Take', description: 'T', input, run: () => {} });
    const app = createApp({ name: 'T', version: '1', functions: [take], limits: { body: 1000, file: 1000 } });
    let left = 100;
    const read = (bytes: Uint8Array) => (left-- > 0 ? bytes.fill(13).length : expect.fail('reads for ever'));
    const variables = { REQUEST_METHOD: 'POST', PATH_INFO: '/Take', CONTENT_TYPE: type };
    expect((await handleCgi(app, variables, { read, onExit() {} })).head).toMatch(/^Status: 4/);
  },
);

describe('the target of a request', () => {
  it.each([
    ['/a/b?c=d?e', '/a/b', 'c=d?e', undefined],
    ['/a', '/a', '', undefined],
    ['http://h:1/a?b', '/a', 'b', 'h:1'],
    ['HTTPS://h', '/', '', 'h'],
    ['http://h?b', '/', 'b', 'h'],
    ['*', '*', '', undefined],
  ])('%s', (target, path, query, host) => {
    expect(splitTarget(target)).toEqual({ path, query });
    expect(hostInTarget(target)).toBe(host);
  });

  it.each([
    ['/v1/a', '/v1', '/a'],
    ['/v1', '/v1', '/'],
    ['/v1?a', '/v1', '/?a'],
    ['/v10/a', '/v1', undefined],
    ['/a/v1', '/v1', undefined],
    ['http://h/v1/a', '/v1', 'http://h/a'],
    ['http://h/v10', '/v1', undefined],
    ['/a', '', '/a'],
  ])('%s below %s', (target, base, below) => expect(targetBelow(target, base)).toBe(below));

  it.each([
    ['', ''],
    ['/', ''],
    ['/api', '/api'],
    ['/api/v1/', '/api/v1'],
    ['/a..b/.c', '/a..b/.c'],
    ...[undefined, 5, 'api', '/a//b', '/a?b', '/a b', '/a/../b', '/..', '/.', '/a/./', '//'].map((wrong) => [
      wrong,
      undefined,
    ]),
  ])('%o as a base path', (base, path) => {
    const message = `mount must be a path such as "/api", not ${JSON.stringify(base)}`;
    if (path !== undefined) expect(parseBase(base)).toBe(path);
    else expect(() => parseBase(base, 'mount')).toThrow(message);
  });

  it.each<[string, Partial<HttpRequest>, string | undefined]>([
    ['its Host', { headers: { host: 'a.example:8080' } }, 'http://a.example:8080/own/x'],
    ['its scheme and base', { headers: { host: '[::1]' }, scheme: 'https', base: '/b/' }, 'https://[::1]/b/x'],
    ['its target', { target: 'http://t.example/', headers: { host: 'a.example' } }, 'http://t.example/own/x'],
    ['no Host', {}, undefined],
    ...['user@evil.example', 'evil.example/x', 'a b', '[::1', 'a:b', ''].map(
      (host) => [`a Host that leads elsewhere: ${host}`, { headers: { host } }, undefined] as never,
    ),
  ])('the URL for clients is of %s', (_, parts, url) => {
    expect(createPublicUrl(appWith(), '/own')(request(parts), '/x')).toBe(url);
    const known = createPublicUrl(appWith({ url: 'https://api.example.com/a/' }), '/own');
    expect(known(request(parts), '/x')).toBe('https://api.example.com/a/x');
  });
});

describe('headers', () => {
  it('of a success and of a failure name their types', async () => {
    const app = appWith(undefined, [defineFunction({ name: 'Hi', description: 'Hi', run() {} })]);
    const headers = { accept: 'application/problem+json' };
    const call = (name: string) => app.fetch(new Request(`http://x/functions/${name}`, { method: 'POST', headers }));
    const types = (await Promise.all(['Hi', 'No'].map(call))).map((response) => response.headers.get('content-type'));
    expect(types).toEqual(['application/json; profile=problem', 'application/problem+json']);
  });

  it.each([
    [undefined, false],
    ['*', true],
    ['W/"a"', false],
    [['"b"', 'TAG'].join(', '), true],
    ['TAG', true],
    ['W/TAG', true],
    ['a', false],
  ])('If-None-Match: %s', async (given, expected) => {
    const etag = await etagOf('text');
    expect(etag).toMatch(/^W\/"[0-9a-f]{24}"$/);
    const headers = { 'if-none-match': given?.replace('TAG', etag.slice(2)) };
    expect(isKnown(etag, request({ headers }))).toBe(expected);
  });

  it.each([
    [undefined, undefined],
    ['*/*', undefined],
    ['text/*', undefined],
    ['text/event-stream', 'text/event-stream'],
    ['application/json, text/event-stream', undefined],
    ['application/json;q=0.9, application/jsonl', 'application/jsonl'],
    ['application/x-ndjson;q=0.5, text/event-stream;q=0.8', 'text/event-stream'],
    ['text/event-stream;q=0.8, application/ndjson;q=0.8', 'text/event-stream'],
    ['text/event-stream;q=0.5, */*', undefined],
    ['text/event-stream, */*', 'text/event-stream'],
    ['text/event-stream;q=0', undefined],
  ])('Accept: %s asks for the stream %s', (accept, type) => {
    expect(streamTypeIn(accept)).toBe(type);
    expect(isStreamType(type && `${type}; charset=utf-8`)).toBe(type !== undefined);
    expect(isStreamType('application/json')).toBe(false);
  });

  const foreign = { origin: 'https://evil.example', host: 'a.example' };
  it.each<[string, string, HttpRequest['headers'], boolean]>([
    ['a form', 'POST', { ...foreign, 'content-type': 'Text/Plain ;charset=utf-8' }, true],
    ['no type', 'POST', foreign, true],
    ['JSON', 'POST', { ...foreign, 'content-type': 'application/json' }, false],
    ['GET', 'GET', foreign, false],
    ['no page', 'POST', { host: 'a.example' }, false],
    ['a page of this origin', 'POST', { ...foreign, origin: 'http://a.example' }, false],
  ])('what a page of another origin posts without asking is refused: %s', (_, method, headers, isRefused) =>
    expect(refuseSimple({ method, headers }) !== undefined).toBe(isRefused),
  );

  const servers = { url: 'https://a.example/', servers: ['https://b.example'] };
  it.each<[ReturnType<typeof refuse>, string | undefined]>([
    [refuse('UNAUTHENTICATED', 'No'), 'Bearer ABOUT'],
    [refuse('UNAUTHENTICATED', 'No', { details: { scopes: ['a', 'b'] } }), 'Bearer ABOUT, scope="a b"'],
    [
      refuse('UNAUTHENTICATED', 'Not "ü"', { details: { error: 'invalid_token', scopes: [] } }),
      'Bearer ABOUT, error="invalid_token", error_description="Not \'?\'"',
    ],
    [
      refuse('FORBIDDEN', 'No', { details: { scopes: ['a'], required: ['a', 'b'] } }),
      'Bearer ABOUT, error="insufficient_scope", error_description="No", scope="a b"',
    ],
    [refuse('FORBIDDEN', 'No'), undefined],
    [refuse('TIMEOUT', 'No'), undefined],
    [{ ok: false, error: refuse('UNAUTHENTICATED', 'No').error }, undefined],
  ])('WWW-Authenticate of %o', (failure, expected) => {
    const [own, withServers] = [appWith({}), appWith(servers)].map((app) => createChallenge(app, '/mcp')!(failure));
    expect(own).toBe(expected?.replace('ABOUT', `realm="Sh?p '1'"`));
    const metadata = 'https://a.example/.well-known/oauth-protected-resource/mcp';
    expect(withServers).toBe(expected?.replace('ABOUT', `resource_metadata="${metadata}"`));
    expect(createChallenge(appWith(), '')).toBeUndefined();
  });
});

describe('the OpenAPI document', () => {
  it('names components so that generators keep them apart', () => {
    const names = new ComponentNames();
    const claimed = [['Order'], ['ORDER', 'Order'], ['order_', 'OrderB'], ['', '9'], ['constructor'], ['é b', '']];
    const found = claimed.map((candidates) => names.claim(candidates));
    expect(found).toEqual(['Order', 'ORDER2', 'OrderB', 'Schema9', 'Constructor', 'e_b']);
    expect(names.claim(['x'.repeat(500)])).toHaveLength(80);
    const pascal = ['order_lines', 'order-lines', 'ORDER_LINES', 'orderLines', 'HTTPPort'].map(toPascalCase);
    expect(pascal).toEqual(['OrderLines', 'OrderLines', 'OrderLines', 'OrderLines', 'HTTPPort']);
    const items = ['OrderLines', 'Data', 'Entries', 'Status', 'Address'].map(toItemName);
    expect(items).toEqual(['OrderLine', 'DataItem', 'Entry', 'StatusItem', 'AddressItem']);
  });

  it('describes tasks', () => {
    const { status } = TASK.properties as Record<string, JsonSchema>;
    expect(status!.enum).toEqual(['working', 'input_required', 'completed', 'failed', 'cancelled']);
    expect(IDEMPOTENCY_KEY.schema).toEqual({ type: 'string', minLength: 1, maxLength: 255 });
  });

  const by = (scheme: 'bearer' | 'apiKey' | 'either') => ({ name: scheme, scheme, authenticate: () => undefined });
  const fn = (name: string, scopes?: unknown) =>
    defineFunction({ name, description: name, run() {}, ...(scopes !== undefined && { scopes: scopes as never }) });
  const functions = [fn('Default'), fn('Open', 'public'), fn('Read', ['read']), fn('By', () => [])];
  const refused = ['UNAUTHENTICATED', 'FORBIDDEN'];
  const only = (scheme: string, ...scopes: string[]) => ({
    schemes: [scheme],
    byDefault: [{ [scheme]: scopes }],
    read: [{ [scheme]: ['read'] }],
    open: ['UNAUTHENTICATED'],
  });
  const EITHER = { schemes: ['bearer', 'apiKey'], byDefault: [{ bearer: [] }, { apiKey: [] }], read: undefined };
  it.each<[string, AppOptions['access'], boolean, object]>([
    ['nothing', {}, false, only('bearer')],
    ['keys', { authenticators: [by('apiKey')] }, false, only('apiKey')],
    ['either', { authenticators: [by('either')], policy: () => true }, true, { ...EITHER, open: refused }],
    [
      'servers',
      { url: 'https://a.example', servers: ['https://b.example'], authenticators: [by('apiKey')] },
      true,
      { ...EITHER, open: ['UNAUTHENTICATED'] },
    ],
    ['tokens', { scopes: ['a'], authenticators: [by('bearer')] }, false, only('bearer', 'a')],
  ])(proves('access.openapi', 'says what callers need, with %s'), (_, access, old, expected) => {
    const app = appWith(access, functions as never);
    const [byDefault, open, read, dynamic] = app.functions;
    const security = describeSecurity(app, old);
    const { security: needed } = security.of(read!);
    const said = {
      schemes: Object.keys(security.schemes!),
      byDefault: security.byDefault,
      read: needed,
      open: security.refusalsOf(open!),
    };
    expect(said).toEqual(expected);
    expect([security.of(byDefault!), security.of(open!)]).toEqual([{}, { security: [] }]);
    const anybody = security.byDefault.map((one) => ({ [Object.keys(one)[0]!]: [] }));
    const unless = (list: object[]) =>
      JSON.stringify(list) === JSON.stringify(security.byDefault) ? {} : { security: list };
    expect(security.of(dynamic!)).toEqual(unless(anybody));
    const ofTasks = [unless(anybody), { security: [...anybody, {}] }];
    expect([security.ofTasks([read!]), security.ofTasks([read!, open!])]).toEqual(ofTasks);
    expect(security.refusalsOf(read!)).toEqual(refused);
  });
});

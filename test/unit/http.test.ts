import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AppOptions } from '../../src/app/app.ts';
import { createApp } from '../../src/app/create-app.ts';
import type { FunctionDefinition, HttpOptions } from '../../src/core/function.ts';
import { chooseCoding } from '../../src/hosts/accept-encoding.ts';
import { createCompress } from '../../src/hosts/compression.ts';
import { compressors } from '../../src/hosts/zlib.ts';
import type { HttpReply } from '../../src/wires/http/message.ts';
import { PathTree } from '../../src/wires/http/path-tree.ts';
import { readPreferences } from '../../src/wires/http/tasks/preferences.ts';
import { createHttpWire } from '../../src/wires/http/wire.ts';
import { parsePairs } from '../../src/wires/query/url-encoded.ts';
import { expectLinear } from '../kit/linear.ts';
import { problemsOf as problemsOfApp } from '../kit/parts.ts';
import { proves } from '../promises.ts';

const id = { type: 'integer', description: 'An id' };
const fn = (name: string, http?: unknown, more: Partial<FunctionDefinition> = {}): FunctionDefinition => ({
  name,
  description: name,
  hints: { readOnly: true },
  ...(http !== undefined && { http: http as HttpOptions }),
  input: { type: 'object', properties: { id }, required: ['id'] },
  run: () => {},
  ...more,
});

const create = (functions: readonly FunctionDefinition[], options: Partial<AppOptions> = {}) =>
  createApp({ name: 'Test', version: '1', functions, ...options });

/** What createApp complains about. */
const problemsOf = (functions: readonly FunctionDefinition[], options: Partial<AppOptions> = {}) =>
  problemsOfApp({ functions, ...options }).join('\n');

const withInput = (schema: object): Partial<FunctionDefinition> => ({
  input: { type: 'object', properties: { id: { description: 'An id', ...schema } }, required: ['id'] },
});

describe('http of a function', () => {
  it.each([
    ['no object', 'GET', 'must be an object'],
    ['a list', ['GET'], 'must be an object'],
    ['an unknown option', { methd: 'GET' }, 'unknown option "methd" (did you mean "method"?)'],
    ['an unknown method', { method: 'TRACE' }, 'method must be one of GET, POST, PUT, PATCH, DELETE, not "TRACE"'],
    ['a method in lower case', { method: 'get' }, 'method must be one of GET, POST, PUT, PATCH, DELETE'],
    ['no string as path', { path: 7 }, 'path must be a string that starts with "/"'],
    ['a path without slash', { path: 'users' }, 'path must be a string that starts with "/"'],
    ['the root', { path: '/' }, 'must not end with "/"'],
    ['a slash at the end', { path: '/users/' }, 'must not end with "/"'],
    ['two slashes', { path: '/users//x' }, 'a segment must not be empty'],
    ['dots', { path: '/users/../x' }, '".." is not a segment'],
    ['a space', { path: '/my users' }, 'a segment may contain letters, digits'],
    ['percent-encoding', { path: '/%75sers' }, 'a segment may contain letters, digits'],
    ['a query', { path: '/users?id={id}' }, 'a parameter must be a whole segment'],
    ['half a segment', { path: '/users/{id}.json' }, 'a parameter must be a whole segment'],
    ['an open brace', { path: '/users/{id' }, 'a parameter must be a whole segment'],
    ['no name', { path: '/users/{}' }, 'a parameter must be a whole segment'],
    ['a parameter first', { path: '/{id}' }, 'the first segment of a path must not be a parameter'],
    ['one parameter twice', { path: '/users/{id}/{id}' }, '{id} is in the path twice'],
    ['an unknown parameter', { path: '/users/{name}' }, '{name} is not a parameter of the input'],
    ['a name of Object.prototype', { path: '/users/{constructor}' }, '{constructor} is not a parameter of the input'],
    ['a path of every app', { path: '/openapi.json' }, '/openapi.json is a path of every app'],
    ['one in other case', { path: '/MCP/x' }, '/MCP is a path of every app'],
    ['the path of functions', { path: '/functions/x' }, '/functions is a path of every app'],
    ['Cache-Control on POST', { cacheControl: 'no-cache' }, 'cacheControl is only for method: "GET"'],
    ['a line break', { method: 'GET', cacheControl: 'a\r\nb: c' }, 'cacheControl must be the value of a Cache-Control'],
  ])(proves('build.http', 'refuses %s'), (_title, http, problem) => {
    expect(problemsOf([fn('Get', http)])).toContain(`functions[0] "Get": http: `);
    expect(problemsOf([fn('Get', http)])).toContain(problem);
  });

  const SIMPLE = 'must be a string, a number or a boolean';
  it.each([
    ['an optional parameter', { input: { type: 'object', properties: { id } } }, 'must be required'],
    ['a list', withInput({ type: 'array', items: {} }), SIMPLE],
    ['an object', withInput({ type: 'object' }), SIMPLE],
    ['any value', withInput({}), SIMPLE],
    ['null', withInput({ type: ['string', 'null'] }), SIMPLE],
    ['a secret', withInput({ type: 'string', format: 'password' }), '{id} is secret, and URLs are logged'],
  ] as const)(proves('build.http', 'refuses %s in a path'), (_title, more, problem) => {
    expect(problemsOf([fn('Get', { path: '/users/{id}' }, more as never)])).toContain(problem);
  });

  const UNCHANGING = 'GET is only for functions that change nothing';
  it.each([
    ['a secret', withInput({ type: 'string', writeOnly: true }), 'the input has secrets, and URLs are logged'],
    ['no hint', { hints: {} }, `${UNCHANGING}; add hints: { readOnly: true }`],
    ['another hint', { hints: { idempotent: true } }, UNCHANGING],
  ] as const)(proves('build.http', 'refuses %s with GET'), (_title, more, problem) => {
    expect(problemsOf([fn('Get', { method: 'GET' }, more as never)])).toContain(problem);
  });

  it.each([
    [{ path: '/users/{id}' }, {}],
    [{ method: 'GET', path: '/v1.0/~users/{id}/all_of-them' }, {}],
    [{ path: '/x/{id}' }, withInput({ anyOf: [{ type: 'integer' }, { type: 'string' }] })],
    [{ path: '/x/{id}' }, withInput({ enum: ['a', 1, true] })],
    [{ path: '/x/{id}' }, withInput({ const: 'a' })],
  ] as const)(proves('build.http', 'takes %o'), (http, more) => {
    expect(problemsOf([fn('Get', http, more as never)])).toBe('');
  });
});

describe('paths of several functions', () => {
  it.each([
    ['the same path', [{ path: '/a/{id}' }, { path: '/a/{id}' }], '"Two" and "One" share the path POST /a/{id}'],
    [
      'the same path with other names',
      [{ method: 'GET', path: '/a/{id}' }, { path: '/a/{other}' }],
      '"Two" and "One" must use the same names for parameters: /a/{other}, /a/{id}',
    ],
    ['the short path of another', [{}, { path: '/One' }], '"Two": /One is short for /functions/One in CGI'],
  ] as const)(proves('build.http', 'must not be %s'), (_title, [one, two], problem) => {
    const input = { type: 'object', properties: { id, other: id }, required: ['id', 'other'] };
    expect(problemsOf([fn('One', one, { input }), fn('Two', two, { input })])).toContain(problem);
  });

  it.each([
    ['other methods', [{ method: 'GET', path: '/a/{id}' }, { path: '/a/{id}' }]],
    ['a literal next to a parameter', [{ path: '/a/{id}' }, { path: '/a/me' }]],
    ['its own name', [{ path: '/One' }, {}]],
  ] as const)(proves('build.http', 'may be %s'), (_title, [one, two]) => {
    expect(problemsOf([fn('One', one), fn('Two', two)])).toBe('');
  });
});

describe('http of an app', () => {
  const GET = { http: { method: 'GET' } } as const;
  const methods = (functions: readonly FunctionDefinition[]) =>
    create(functions, GET).functions.map(({ http }) => http.method);

  it(proves('http.get', 'is for every read-only function that does not say otherwise'), () => {
    const writes = { hints: { idempotent: true } };
    const functions = [fn('A'), fn('B', { method: 'POST' }), fn('C', {}, writes), fn('D', { path: '/d' })];
    expect(methods(functions)).toEqual(['GET', 'POST', 'POST', 'GET']);
  });

  it(proves('build.http', 'does not put secrets into URLs'), () => {
    const secret = withInput({ type: 'string', format: 'password' });
    expect(problemsOf([fn('A', undefined, secret)], GET)).toContain('URLs are logged; set method: "POST"');
    expect(problemsOf([fn('A', { method: 'POST' }, secret)], GET)).toBe('');
  });

  it.each([{ method: 'POST' }, { path: '/x' }, 'GET', []])(proves('build.http', 'is not %o'), (http) => {
    expect(problemsOf([fn('A')], { http: http as never })).toContain('http must be { method: "GET" }');
  });

  it('is not for resources and prompts', () => {
    const resource = { uri: 'a:b', name: 'a', description: 'A', read: () => '' };
    const [served] = create([], { ...GET, resources: [resource as never] }).resources.functions;
    expect(served?.http.method).toBe('POST');
  });
});

const tree = new PathTree<string>();
const PATHS = ['/users', '/users/{id}', '/users/me', '/a/{x}/c', '/a/b/d', '/a/{x}/{y}/{z}', '/a/b/{y}/z'];
for (const path of PATHS) tree.add(path, path);

it.each([
  ['/users', '/users', []],
  ['/users/7', '/users/{id}', ['7']],
  ['/users/a%2Fb', '/users/{id}', ['a%2Fb']],
  ['/users/%zz', '/users/{id}', ['%zz']],
  ['/users/me', '/users/me', []],
  ['/users/%6d%65', '/users/me', []],
  ['/%75sers/%6d%65', '/users/me', []],
  // The literal `b` comes first, and leads nowhere.
  ['/a/b/c', '/a/{x}/c', ['b']],
  ['/a/b/d', '/a/b/d', []],
  ['/a/b/c/z', '/a/b/{y}/z', ['c']],
  ['/a/b/c/d', '/a/{x}/{y}/{z}', ['b', 'c', 'd']],
])(proves('http.path', 'finds %s'), (path, found, values) => {
  expect(tree.find(path)).toEqual({ found, values });
});

const DOTS = ['/users/.', '/users/..', '/users/%2e%2E'];
const SLASHES = ['', '*', '/', '//', '/users/', '/users//', '/a//c', '/users/me/'];
it.each([...DOTS, ...SLASHES, '/users/7/8', '/Users/7', '/a', '/a/b', '/a/x/d', `/users/7${'/x'.repeat(10_000)}`])(
  proves('http.path', 'does not find %s'),
  (path) => {
    expect(tree.find(path)).toBeUndefined();
  },
);

it(proves('http.get', 'reads what URLSearchParams writes, and what it reads'), () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
      const written = new URLSearchParams(pairs).toString();
      expect(parsePairs(written)).toEqual([...new URLSearchParams(written)]);
    }),
  );
  const raw = fc.string({ unit: fc.constantFrom('a', '=', '&', '+', '.', '%41', '%C3%A9', '%26', ';', '[', 'ö') });
  fc.assert(
    fc.property(raw, (sent) => {
      expect(parsePairs(sent)).toEqual([...new URLSearchParams(sent)]);
    }),
  );
});

it.each(['%', 'a=%', '%4', 'a=%zz', 'a=%ff', 'a=%c3', 'a=%ed%a0%80', 'a=%c0%80', '%f5%80%80%80=1', 'a=1&b=%e2%82'])(
  proves('http.get', 'refuses %s'),
  (sent) => {
    expect(parsePairs(sent)).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST' } });
  },
);

/** As Node reads raw bytes from a socket: one character for each byte. */
it.each(['/functions/Get?id=\u00c3\u00a9', '/functions/Get?id=a b', '/get/\u00c3\u00a9', '/functions/Get?id=\u0000'])(
  proves('http.get', 'refuses bytes that are not percent-encoded: %j'),
  async (target) => {
    const app = create([fn('Get', { method: 'GET', path: '/get/{id}' }, withInput({ type: 'string' }))]);
    const request = { method: 'GET', target, headers: { host: 'localhost' }, body: new Uint8Array() };
    const { status, body } = await createHttpWire(app as never).handle(request);
    expect([status, body]).toEqual([400, expect.stringContaining('is not percent-encoded UTF-8')]);
  },
);

const read = (prefer: string | string[] | undefined) => readPreferences({ prefer });

describe('the Prefer header (RFC 7240)', () => {
  it.each([
    [undefined, false, 0],
    ['', false, 0],
    ['respond-async', true, 0],
    ['Respond-Async', true, 0],
    ['respond-async=""', true, 0],
    ['respond-async, wait=10', true, 10_000],
    ['wait=10,respond-async', true, 10_000],
    ['respond-async; foo=bar, wait = 10 ; x', true, 10_000],
    ['WAIT="7"', false, 7000],
    ['wait=1, wait=2', false, 1000],
    ['return=minimal, ,, respond-async', true, 0],
    ['foo="a, respond-async, wait=5"', false, 0],
    ['foo="a\\", wait=5", respond-async', true, 0],
    [['respond-async', 'wait=3'], true, 3000],
    ['wait', false, 0],
    ['wait=', false, 0],
    ['wait=-1', false, 0],
    ['wait=1.5', false, 0],
    ['wait=1e3', false, 0],
    ['wait=soon', false, 0],
    ['respond-async=no', false, 0],
    ['respond-asynchronously', false, 0],
    ['"respond-async"', false, 0],
    ['foo="', false, 0],
  ])(proves('http.task', '%j'), (prefer, respondAsync, wait) => {
    expect(read(prefer)).toEqual({ respondAsync, wait });
  });

  it('takes a number of any length', () => expect(read(`wait=${'9'.repeat(1000)}`).wait).toBe(Infinity));

  it('never throws, and wait is never negative', () => {
    const part = fc.constantFrom('respond-async', 'wait', '=', ';', ',', '"', '\\', ' ', '1', 'é', '\t');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const { wait } = read(parts.join(''));
        expect(wait).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 300 },
    );
  });
});

describe('Accept-Encoding', () => {
  it.each<[header: string | undefined, coding: 'br' | 'gzip' | undefined]>([
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['deflate', undefined],
    ['zstd', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['*;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=1, br;q=0.9', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.000', undefined],
    ['gzip ; q = 0.5 , br ; Q=0.4', 'gzip'],
    ['gzip;q=0.5, identity', undefined],
    ['gzip, identity', 'gzip'],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['gzip;q=0.5, identity;q=0.1', 'gzip'],
    ['identity', undefined],
    ['identity;q=0', undefined],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['identity;q=0, *;q=0.5', 'br'],
    ['gzip;q=0, gzip', undefined],
    ['gzip;q=2', undefined],
    ['gzip;q=', undefined],
    ['gzip;q=-1', undefined],
    ['gzip;q=0.1234', undefined],
    ['gzip;level=9', 'gzip'],
    ['gzip;level=9;q=0', undefined],
    [',,;q=1,gzip', 'gzip'],
    ['__proto__, constructor', undefined],
  ])(proves('http.compression', '%s → %s'), (header, coding) => expect(chooseCoding(header)).toBe(coding));

  it(proves('input.bounded', 'a header of many codings takes linear time'), () =>
    expectLinear((count) => {
      const header = Array.from({ length: count }, (_, i) => `c${i};q=0.${i % 10}`).join(',');
      return () => chooseCoding(header);
    }, 2000),
  );
});

const GZIP = { headers: { 'accept-encoding': 'gzip' } };
const replyOf = (body: string, headers: Record<string, string> = {}): HttpReply => ({ status: 200, headers, body });

afterEach(() => void vi.restoreAllMocks());

describe('compressing replies', () => {
  it(proves('http.compression', 'is done once for a reply with an ETag that is sent again'), async () => {
    const gzip = vi.spyOn(compressors, 'gzip');
    const compress = createCompress({ from: 1 }, () => {});
    const document = replyOf('x'.repeat(1000), { etag: '"1"' });
    const sent = await Promise.all(Array.from({ length: 10 }, async () => compress(document, GZIP)));
    expect(gzip).toHaveBeenCalledTimes(1);
    for (const { body } of sent) expect(gunzipSync(body as Uint8Array).toString()).toBe(document.body);
    await compress(replyOf('x'.repeat(1000)), GZIP);
    expect(gzip).toHaveBeenCalledTimes(2);
  });

  it(proves('http.compression', 'leaves out replies when too many wait'), async () => {
    const compress = createCompress({ from: 1 }, () => {});
    const sent = await Promise.all(Array.from({ length: 100 }, async () => compress(replyOf('x'.repeat(1000)), GZIP)));
    const codings = sent.map(({ headers }) => headers['content-encoding']);
    expect(codings.filter((coding) => coding === 'gzip')).toHaveLength(32);
    expect(sent.at(-1)).toEqual(replyOf('x'.repeat(1000), { vary: 'Accept-Encoding' }));
  });

  it(proves('http.compression', 'that fails is logged, and the reply is sent as it is'), async () => {
    vi.spyOn(compressors, 'gzip').mockRejectedValue(new Error('out of memory'));
    const logged: unknown[] = [];
    const compress = createCompress({ from: 1 }, (thrown) => logged.push(thrown));
    const document = replyOf('text', { etag: 'W/"1"', vary: 'Accept' });
    expect(await compress(document, GZIP)).toEqual(replyOf('text', { etag: 'W/"1"', vary: 'Accept, Accept-Encoding' }));
    expect(logged).toEqual([new Error('out of memory')]);
    vi.restoreAllMocks();
    expect((await compress(document, GZIP)).headers['content-encoding']).toBe('gzip');
  });

  it(proves('http.compression', 'does not keep the event loop waiting'), async () => {
    const body = JSON.stringify(Array.from({ length: 200_000 }, (_, i) => i * 7919));
    const compress = createCompress({}, () => {});
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await compress(replyOf(body), GZIP);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});

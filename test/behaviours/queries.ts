import type { PromiseId } from '../promises.ts';
import { failed, notAllowed, type RequestBehaviour } from './requests.ts';

// GET, paths of functions and forms, on a socket, through app.fetch and over CGI.

type Sent = Omit<RequestBehaviour, 'title' | 'proves' | 'answer'>;
type Row = readonly [title: string, sent: string | Sent, answer: RequestBehaviour['answer']];

const result = (value: unknown, headers = {}) => ({ status: 200, headers, body: JSON.stringify({ result: value }) });
const invalidBody = (problems: string, headers = {}) =>
  failed(400, 'INVALID_ARGUMENTS', `Invalid arguments: ${problems}`, headers);
const invalid = (problems: string) => invalidBody(problems, { 'cache-control': 'no-store' });
const DIFFERS = invalidBody('/id: differs from the value in the path');
const badRequest = (error: string) => failed(400, 'BAD_REQUEST', error, { 'cache-control': 'no-store' });
const notFound = (path: string) => failed(404, 'NOT_FOUND', `No such path: ${path}`);
const FORM = 'application/x-www-form-urlencoded';
const form = (path: string, body: string, type = FORM): Sent => ({
  method: 'POST',
  path,
  body,
  headers: { 'content-type': type },
});
const post = (path: string, body: unknown): Sent => form(path, JSON.stringify(body), 'application/json');
const search = (query: string) => `/functions/Search?${query}`;
/** Web servers decode the path before a script sees it. */
const DECODED = { cgi: 'the web server decodes the path' };
const ADD_ETAG = 'W/"c64bb07a783ba180a85121ab"';

const rows = {
  'http.get': [
    ['GET', '/functions/Add?x=1&y=2', result(3, { vary: 'Accept', 'content-type': 'application/json' })],
    ['GET by operationId', '/functions/functions.Add?x=1&y=2', result(3)],
    ['POST on a function with GET', post('/functions/Add', { x: 1, y: 2 }), result(3, { etag: null })],
    ['HEAD', { method: 'HEAD', path: '/add?x=1&y=2' }, { status: 200, headers: { etag: ADD_ETAG }, body: '' }],
    [
      'OPTIONS',
      { method: 'OPTIONS', path: '/functions/Add' },
      { status: 204, headers: { allow: 'GET, HEAD, POST, OPTIONS' }, body: '' },
    ],
    ['no query', '/functions/Add', invalid('/x: required, expected integer; /y: required, expected integer')],
    [
      'numbers, booleans, lists, nested objects, dates',
      search(
        'q=a+b%20c%2B&limit=3&exact=true&tags=x&ids=1&ids=2&address.city=Rome&address.geo.lat=1.5&when=2026-01-01T00:00:00Z&big=42',
      ),
      result({
        q: 'a b c+',
        limit: 3,
        exact: true,
        tags: ['x'],
        ids: [1, 2],
        address: { city: 'Rome', geo: { lat: 1.5 } },
        when: '2026-01-01T00:00:00.000Z',
        big: '42',
      }),
    ],
    ['a list as JSON', search('ids=%5B1,2%5D&tags=%5Ba%5D'), result({ ids: [1, 2], tags: ['[a]'] })],
    ['an object as JSON', search('address=%7B%22zip%22%3A%221%22%7D'), result({ address: { zip: 1 } })],
    ['a string or a list, given once', search('either=a'), result({ either: 'a' })],
    ['a string or a list, given twice', search('either=a&either=b'), result({ either: ['a', 'b'] })],
    ['empty parts and values', search('&&q=&'), result({ q: '' })],
    ['a name without =', search('q=1&exact'), invalid('/exact: expected boolean, got ""')],
    ['a name given twice', search('limit=1&limit=2'), invalid('/limit: given 2 times, expected integer')],
    [
      'a value and an object',
      search('address=1&address.city=2'),
      invalid('/address: given as a value and as an object'),
    ],
    [
      'a number beyond 2^53',
      search('limit=9007199254740993'),
      invalid(
        '/limit: expected integer of at most ±9007199254740991 (larger integers are not exact as JSON numbers; send them as strings if the schema allows it), got "9007199254740993"',
      ),
    ],
    ['names of Object.prototype', search('__proto__.x=1&constructor=2&q=1'), result({ q: '1' })],
    [
      '__proto__ in an open object',
      search('address.__proto__.zip=1'),
      { status: 200, body: '{"result":{"address":{"__proto__":{"zip":"1"}}}}' },
    ],
    [
      'too many dots',
      `/functions/Open?${'a.'.repeat(100)}a=1`,
      { status: 400, body: /^\{"error":"Invalid arguments: \/a\/a.*: nested deeper than 64 levels"\}$/ },
    ],
    ['broken percent-encoding', search('q=%'), badRequest('"q" is not percent-encoded UTF-8')],
    ['invalid UTF-8', search('q=%ff'), badRequest('"q" is not percent-encoded UTF-8')],
    ['an encoded surrogate', search('q=%ed%a0%80'), badRequest('"q" is not percent-encoded UTF-8')],
    ['an unknown name', search('nope=1'), result({})],
    ['an unknown name, with strict', '/functions/Strict?nope=1', invalid('/nope: not a known field')],
    ['coerce: false is for callers who can send numbers', '/functions/Exact?n=5', result({ n: 5 })],
    ['a parameter with a dot', '/functions/Dotted?a.b=1', result({ 'a.b': 1 })],
    ['any parameters', '/functions/Open?b.c=2&b.d=3', result({ b: { c: '2', d: '3' } })],
    [
      'a union is repaired as a whole',
      '/functions/Shape?shape.kind=named&shape.size=5',
      result({ shape: { kind: 'named', size: '5' } }),
    ],
    ['a profile', '/functions/Add?x=1&y=2&profile=status', { status: 200, body: '{"status":"SUCCESS","data":3}' }],
    ['an argument named profile', '/functions/Profiled?profile=status', result({ profile: 'status' })],
    [
      'an unknown profile',
      search('profile=x'),
      { status: 406, headers: { 'cache-control': 'no-store' }, body: /^\{"error":"Not acceptable/ },
    ],
    ['GET on a function without it', '/functions/Login?user=a', notAllowed('GET', 'POST, OPTIONS')],
    [
      'GET with a body',
      { path: '/add?x=1&y=2', body: '{}', except: { fetch: 'a Request cannot have one' } },
      badRequest('GET has no body; send the arguments in the query, or use POST'),
    ],
  ],
  'http.cache': [
    ['an ETag', '/add?x=1&y=2', result(3, { etag: ADD_ETAG, 'cache-control': 'no-cache' })],
    [
      'a known ETag',
      { path: '/add?x=1&y=2', headers: { 'if-none-match': `"other", ${ADD_ETAG}` } },
      { status: 304, headers: { etag: ADD_ETAG, 'cache-control': 'no-cache' }, body: '' },
    ],
    [
      'another ETag',
      { path: '/add?x=1&y=3', headers: { 'if-none-match': ADD_ETAG } },
      result(4, { 'cache-control': 'no-cache' }),
    ],
    ["the author's Cache-Control", '/users/7', result({ id: 7 }, { 'cache-control': 'public, max-age=60' })],
    ['a failure', '/users/404', failed(404, 'NOT_FOUND', 'No such user', { 'cache-control': 'no-store', etag: null })],
  ],
  'http.path': [
    ['a path', '/add?x=1&y=2', result(3)],
    ['a value in the path', '/users/7?fields=a&fields=b', result({ id: 7, fields: ['a', 'b'] })],
    ['two values', '/users/7/posts/a%20b%3F', result({ user: 7, slug: 'a b?' })],
    ['a boolean', '/flags/true', result({ on: true })],
    ['a literal takes precedence', '/users/me', result({})],
    ['a literal, percent-encoded', '/users/%6De', result({})],
    ['a slash in a value', { path: '/users/7/posts/a%2Fb', except: DECODED }, result({ user: 7, slug: 'a/b' })],
    ['a plus in a value', '/users/7/posts/a+b', result({ user: 7, slug: 'a+b' })],
    ['the path without values', '/functions/GetUser?id=7', result({ id: 7 })],
    ['a wrong value', '/users/x', invalid('/id: expected integer, got "x"')],
    ['the same value twice', '/users/7?id=7', result({ id: 7 })],
    ['two values for one argument', '/users/7?id=8', invalid('/id: differs from the value in the path')],
    ['a broken value', { path: '/users/%ff', except: DECODED }, badRequest('"id" is not percent-encoded UTF-8')],
    ['a body', post('/users/7', { name: 'Bo' }), result({ id: 7, name: 'Bo' })],
    ['a body with the same value', post('/users/7', { id: '7', name: 'Bo' }), result({ id: 7, name: 'Bo' })],
    ['a body with another value', post('/users/7', { id: 8, name: 'Bo' }), DIFFERS],
    ['a body with another value, as JSON in a string', post('/users/7', '{"id":8,"name":"Bo"}'), DIFFERS],
    ['a body that is no object', post('/users/7', [1]), invalidBody('expected object, got array')],
    [
      'a body that is not JSON',
      form('/users/7', '{', 'application/json'),
      failed(400, 'INVALID_JSON', 'Invalid JSON body'),
    ],
    [
      'the methods of two functions at one path',
      { method: 'DELETE', path: '/users/7' },
      notAllowed('DELETE', 'GET, HEAD, POST, OPTIONS'),
    ],
    ['an empty value', '/users/', notFound('/users/')],
    ['two slashes', '/users//posts/x', notFound('/users//posts/x')],
    ['a slash at the end', '/users/7/', notFound('/users/7/')],
    ['more segments', '/users/7/posts', notFound('/users/7/posts')],
    ['other case', '/USERS/7', { status: 404, body: /^\{"error":"(?:No such path|Function not found)/ }],
  ],
  'http.form': [
    ['a form', form('/functions/Add', 'x=1&y=2'), result(3)],
    ['a form and a path', form('/users/7', 'name=B%C3%B6+1'), result({ id: 7, name: 'Bö 1' })],
    [
      'a form with a charset, and bytes that are not encoded',
      form('/users/7', 'name=Bö', `${FORM}; charset=UTF-8`),
      result({ id: 7, name: 'Bö' }),
    ],
    ['an empty form', form('/functions/Me', ''), result({})],
    ['a form with another value than the path', form('/users/7', 'id=8&name=Bo'), DIFFERS],
    [
      'JSON that is said to be a form',
      form('/functions/Add', '{"x":1,"y":2}'),
      failed(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body looks like JSON: send it as Content-Type: application/json'),
    ],
    ['a secret', form('/functions/Login', 'user=a&password=secret'), result(true)],
    [
      'a broken secret is not repeated',
      form('/functions/Login', 'user=a&password=hunter2%'),
      failed(400, 'BAD_REQUEST', '"password" is not percent-encoded UTF-8'),
    ],
    ['a profile in a form', form('/functions/Profiled', 'profile=x'), result({ profile: 'x' })],
  ],
} satisfies Partial<Record<PromiseId, readonly Row[]>>;

export const queries: readonly RequestBehaviour[] = Object.entries(rows).flatMap(([promise, list]) =>
  list.map(([title, sent, answer]) => ({
    title: `${promise}: ${title}`,
    proves: [promise as PromiseId],
    app: 'queries' as const,
    ...(typeof sent === 'string' ? { path: sent } : sent),
    answer,
  })),
);

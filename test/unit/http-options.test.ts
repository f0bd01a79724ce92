import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import type { AppOptions } from '../../src/app/app.ts';
import type { FunctionDefinition, HttpOptions } from '../../src/core/function.ts';
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
    ['an unknown method', { method: 'PUT' }, 'method must be "GET" or "POST", not "PUT"'],
    ['a method in lower case', { method: 'get' }, 'method must be "GET" or "POST"'],
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
    expect(methods([fn('A'), fn('B', { method: 'POST' }), fn('C', {}, writes), fn('D', { path: '/d' })])).toEqual([
      'GET',
      'POST',
      'POST',
      'GET',
    ]);
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

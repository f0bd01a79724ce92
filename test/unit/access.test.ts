import { createHash } from 'node:crypto';
import { createApp, defineFunction, Failure } from 'everywire';
import { apiKeys, Credentials, custom } from 'everywire/access';
import { expect, it } from 'vitest';
import { silent } from '../kit/parts.ts';
import { createCredentialsReader } from '../../src/wires/http/credentials.ts';

const hash = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`;
const text = { type: 'string', description: 'Text' } as const;
const whoAmI = defineFunction({
  name: 'WhoAmI',
  description: 'Who calls',
  output: text,
  scopes: 'public',
  run: (_, { principal }) => `${principal.kind}:${principal.id}`,
});
const write = defineFunction({
  name: 'Write',
  description: 'Writes',
  input: { type: 'object', properties: { shop: text }, required: ['shop'] },
  output: text,
  scopes: ({ shop }) => [`write:${shop}`],
  run: ({ shop }) => shop,
});
const read = defineFunction({
  name: 'Read',
  description: 'Reads',
  input: { type: 'object', properties: { id: text }, required: ['id'] },
  output: text,
  scopes: ['read'],
  run: ({ id }) => id,
});
const outer = defineFunction({
  name: 'Outer',
  description: 'Calls Read',
  scopes: 'public',
  output: text,
  run: (_, context) => context.call(read, { id: 'x' }),
});

const app = createApp({
  name: 'Access',
  version: '1.0.0',
  functions: [whoAmI, write, read, outer],
  log: silent,
  access: {
    authenticators: [
      apiKeys({
        keys: { [hash('reader')]: { id: 'r', scopes: ['read'] }, [hash('admin')]: { id: 'a', scopes: ['admin'] } },
      }),
      custom('broken', ({ bearer }) => {
        if (bearer === 'down') throw new Error('the database is down');
        return bearer === 'own' ? { id: 'o', scopes: ['*'] } : undefined;
      }),
    ],
    implies: { admin: ['read', 'write:a'] },
    policy: ({ principal, input }) =>
      principal.id === 'o' && (input as { shop?: string }).shop === 'closed' ? new Failure('CONFLICT', 'Closed') : true,
  },
});

/** As a wire calls. */
const call = async (
  name: string,
  input: unknown,
  parts: { bearer?: string; apiKey?: string; malformed?: boolean; otherScheme?: boolean } = {},
) => {
  const credentials = Object.keys(parts).length > 0 ? new Credentials(parts) : undefined;
  const { outcome } = await app.respond({ name, input, caller: { wire: 'test' }, credentials });
  return outcome.ok ? outcome.data : outcome.error.code;
};

it('credentials and fixed scopes come before the arguments', async () => {
  expect(await call('Read', {})).toBe('UNAUTHENTICATED');
  expect(await call('Read', {}, { apiKey: 'wrong' })).toBe('UNAUTHENTICATED');
  expect(await call('Read', {}, { bearer: 'wrong' })).toBe('UNAUTHENTICATED');
  expect(await call('Read', {}, { malformed: true })).toBe('BAD_REQUEST');
  expect(await call('Read', {}, { otherScheme: true })).toBe('UNAUTHENTICATED');
  expect(await call('Read', {}, { apiKey: 'reader' })).toBe('INVALID_ARGUMENTS');
  expect(await call('Read', { id: '1' }, { apiKey: 'reader' })).toBe('1');
  expect(await call('Read', { id: '1' }, { bearer: 'admin' })).toBe('1');
});

it('scopes of the arguments come after them, and before the function', async () => {
  expect(await call('Write', {}, { bearer: 'reader' })).toBe('INVALID_ARGUMENTS');
  expect(await call('Write', { shop: 'a' }, { bearer: 'reader' })).toBe('FORBIDDEN');
  expect(await call('Write', { shop: 'a' }, { bearer: 'admin' })).toBe('a');
  expect(await call('Write', { shop: 'b' }, { bearer: 'admin' })).toBe('FORBIDDEN');
  expect(await call('Write', { shop: 'b' }, { bearer: 'own' })).toBe('b');
  expect(await call('Write', { shop: 'closed' }, { bearer: 'own' })).toBe('CONFLICT');
});

it('what is public needs nobody, but a wrong credential is still wrong', async () => {
  expect(await call('WhoAmI', {})).toBe('anonymous:anonymous');
  expect(await call('WhoAmI', {}, { bearer: 'own' })).toBe('broken:o');
  expect(await call('WhoAmI', {}, { bearer: 'wrong' })).toBe('UNAUTHENTICATED');
});

it('an authenticator that throws lets nobody in', async () => {
  expect(await call('WhoAmI', {}, { bearer: 'down' })).toBe('UNAVAILABLE');
});

it('a nested call has the same principal, and needs its own scopes', async () => {
  expect(await call('Outer', {})).toBe('UNAUTHENTICATED');
  expect(await call('Outer', {}, { bearer: 'reader' })).toBe('x');
});

it('in process, the principal is given', async () => {
  expect(await app.call('Read', { id: '1' })).toMatchObject({ ok: false, error: { code: 'UNAUTHENTICATED' } });
  const principal = { id: 'job', scopes: ['read'] };
  expect(await app.call('Read', { id: '1' }, { principal })).toMatchObject({ ok: true });
  expect(await app.call('Read', { id: '1' }, { principal: { id: 'job' } })).toMatchObject({
    error: { code: 'FORBIDDEN', details: { scopes: ['read'] } },
  });
});

it('scopes without rules are a mistake', () => {
  expect(() => createApp({ name: 'A', version: '1', functions: [read] })).toThrow(/scopes need createApp/);
});

it.each([
  ['function', []],
  ['resource', []],
  ['completion', 'public'],
  ['subscription', 'public'],
] as const)('before its arguments are known, scopes of a %s that depend on them are %o', (kind, scopes) => {
  expect(app.access!.scopesOf({ kind, definition: { scopes: () => ['read'] } } as never)).toEqual(scopes);
  expect(app.access!.scopesOf({ kind, definition: { scopes: ['read'] } } as never)).toEqual(['read']);
});

const long = 'x'.repeat(8185);
it.each<[Record<string, string | string[]>, object, string[]?]>([
  [{}, {}],
  [{ authorization: 'Bearer a.b-c~+/==' }, { bearer: 'a.b-c~+/==' }],
  [{ authorization: 'bEARER  a' }, { bearer: 'a' }],
  [{ 'x-api-key': 'a,b' }, { apiKey: 'a,b' }],
  [{ authorization: 'Basic YTpi' }, { otherScheme: true }],
  [{ authorization: 'Negotiate' }, { otherScheme: true }],
  [{ authorization: 'Bearer' }, { malformed: true }],
  [{ authorization: 'Bearer a b' }, { malformed: true }],
  [{ authorization: '' }, { malformed: true }],
  [{ 'x-api-key': '' }, { malformed: true }],
  [{ 'x-api-key': 'a, b' }, { malformed: true }],
  [{ authorization: `Bearer ${long}` }, { bearer: long }],
  [{ authorization: `Bearer ${long}x` }, { malformed: true }],
  // Node keeps the first, and another server in front may have checked the other.
  [{ authorization: 'Bearer a', 'x-api-key': 'a' }, { malformed: true }],
  [{ authorization: 'Bearer a' }, { bearer: 'a' }, ['Authorization', 'Bearer a', 'X-Authorization', 'Bearer b']],
  [{ authorization: 'Bearer a' }, { malformed: true }, ['Authorization', 'Bearer a', 'authorization', 'Bearer b']],
])('credentials of %o are %o', (headers, expected, rawHeaders) => {
  const readCredentials = createCredentialsReader(app as never)!;
  const request = (repeated?: string[]) =>
    ({ method: 'GET', target: '/', body: new Uint8Array(), headers, rawHeaders: repeated }) as const;
  const readParts = (repeated?: string[]) => {
    const { bearer, apiKey, malformed, otherScheme } = readCredentials(request(repeated)) ?? {};
    return { bearer, apiKey, ...(malformed && { malformed }), ...(otherScheme && { otherScheme }) };
  };
  if (rawHeaders) readParts(); // What is remembered of one header is not used for two.
  expect(readParts(rawHeaders)).toEqual(expected);
  expect(readParts(rawHeaders)).toEqual(expected);
});

it('what the server in front knows comes with the credentials; without rules they are not read', () => {
  const headers = { authorization: 'Bearer a' };
  const request = { method: 'GET', target: '/', body: new Uint8Array(), outer: () => ({ id: 'o' }) };
  const readCredentials = createCredentialsReader(app as never)!;
  expect(readCredentials({ ...request, headers })).toMatchObject({ bearer: 'a', outer: request.outer });
  expect(readCredentials({ ...request, headers: {} })).toMatchObject({ bearer: undefined, outer: request.outer });
  const user = { name: 'ada', type: 'Basic' };
  expect(readCredentials({ ...request, headers, user })?.user).toBeUndefined();
  const withUsers = createCredentialsReader({ access: { options: { user() {} } } } as never);
  expect(withUsers!({ ...request, headers, user })).toMatchObject({ user, bearer: undefined, outer: request.outer });
  expect(createCredentialsReader({ access: undefined })).toBeUndefined();
});

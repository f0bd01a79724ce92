import { createHash, randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createApp, defineFunction, Failure, type AppOptions, type Principal } from 'everywire';
import { apiKeys, Credentials, custom } from 'everywire/access';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import type { CredentialParts } from '../../src/core/credentials.ts';
import { Verified } from '../../src/core/verified.ts';
import { createCredentialsReader } from '../../src/wires/http/credentials.ts';
import { PATH, SECRET, ways, type Way } from '../callbacks/ways.ts';
import { fn, hashOf, object, silent, string } from '../kit/functions.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';

const scopesOf = ({ shop }: any) => [`write:${shop}`];
const write = fn('Write', { input: object({ shop: string }), output: string, scopes: scopesOf }, ({ shop }) => shop);
const read = fn('Read', { input: object({ id: string }), output: string, scopes: ['read'] }, ({ id }) => id);

const app = createApp({
  name: 'Access',
  version: '1.0.0',
  functions: [write, read],
  log: silent,
  access: {
    authenticators: [
      apiKeys({
        keys: { [hashOf('reader')]: { id: 'r', scopes: ['read'] }, [hashOf('admin')]: { id: 'a', scopes: ['admin'] } },
      }),
      custom('session', ({ bearer }) => (bearer === 'own' ? { id: 'o', scopes: ['*'] } : undefined)),
    ],
    implies: { admin: ['read', 'write:a'] },
    policy: ({ principal, input }) =>
      principal.id === 'o' && (input as { shop?: string }).shop === 'closed' ? new Failure('CONFLICT', 'Closed') : true,
  },
});

/** As a wire calls. */
const call = async (name: string, input: unknown, parts: CredentialParts) => {
  const { outcome } = await app.respond({ name, input, caller: { wire: 'test' }, credentials: new Credentials(parts) });
  return outcome.ok ? outcome.data : outcome.error.code;
};

it('scopes of the arguments come after them, and before the function', async () => {
  expect(await call('Write', {}, { bearer: 'reader' })).toBe('INVALID_ARGUMENTS');
  expect(await call('Write', { shop: 'a' }, { bearer: 'reader' })).toBe('FORBIDDEN');
  expect(await call('Write', { shop: 'a' }, { bearer: 'admin' })).toBe('a');
  expect(await call('Write', { shop: 'b' }, { bearer: 'admin' })).toBe('FORBIDDEN');
  expect(await call('Write', { shop: 'b' }, { bearer: 'own' })).toBe('b');
  expect(await call('Write', { shop: 'closed' }, { bearer: 'own' })).toBe('CONFLICT');
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

const fine = { id: 'fine', kind: 'test', scopes: [], claims: {} };
const always = { name: 'always', scheme: 'either', authenticate: () => fine } as const;

interface Place {
  readonly name: string;
  readonly parts?: CredentialParts;
  readonly options: (call: any) => Partial<AppOptions>;
  readonly answers: (way: Way) => string;
}

const isUndefined = ({ title }: Way) => title === 'returns undefined';
const guarded = (scopes?: any) =>
  defineFunction({ name: 'F', description: 'F', output: string, ...(scopes && { scopes }), run: () => 'in' });

/** Every callback of the access rules. Nonsense lets nobody in. */
const places: readonly Place[] = [
  {
    name: 'Authenticator.authenticate',
    options: (authenticate) => ({ access: { authenticators: [{ ...always, authenticate }] } }),
    answers: (way) => (isUndefined(way) ? 'UNAUTHENTICATED' : 'UNAVAILABLE'),
  },
  {
    name: 'AccessOptions.user',
    parts: { user: { name: 'ada', type: 'Basic' } },
    options: (user) => ({ access: { user } }),
    answers: (way) => (isUndefined(way) ? 'UNAUTHENTICATED' : 'UNAVAILABLE'),
  },
  {
    name: 'AccessOptions.policy',
    options: (policy) => ({ access: { authenticators: [always], policy } }),
    answers: (way) => {
      if (way.kind === 'nonsense') return isUndefined(way) ? 'OK' : 'FORBIDDEN';
      return way.kind === 'hangs' ? 'TIMEOUT' : 'INTERNAL_ERROR';
    },
  },
  {
    name: 'DeclaredScopes',
    options: (scopes) => ({ access: { authenticators: [always] }, functions: [guarded(scopes)] }),
    answers: () => 'INTERNAL_ERROR',
  },
];

afterEach(() => void vi.useRealTimers());

for (const { name, parts = { bearer: 'token' }, options, answers } of places) {
  describe(name, () => {
    it.each(ways)(proves('access.closed', '$title'), async (way) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const logged: string[] = [];
      const log = { debug() {}, info() {}, warn() {}, error: (message: string) => void logged.push(message) };
      const base = { name: 'A', version: '1', errors: 'masked', log, functions: [guarded()] };
      const { respond } = createApp({ ...base, ...options(way.call) } as never);
      const given = { name: 'F', caller: { wire: 'test' }, credentials: new Credentials(parts) };
      const answered = Promise.resolve(respond(given as never, 'plain'));
      await vi.advanceTimersByTimeAsync(60_000);
      const { outcome, body } = await answered;
      const code = outcome.ok ? 'OK' : outcome.error.code;
      expect(code).toBe(answers(way));
      expect(body).not.toContain(SECRET);
      expect(body).not.toContain(PATH);
      // A caller that is unknown, or refused by the policy, is no mistake of the app.
      if (code === 'UNAVAILABLE' || code === 'INTERNAL_ERROR') expect(logged).not.toEqual([]);
    });
  });
}

const upperCase = (hash: string) => hash.toUpperCase().replace('SHA', 'sha');
const neverReported = (thrown: unknown) => expect.fail(String(thrown));

describe('API keys', () => {
  const bearer = (key: string) => new Credentials({ bearer: key });
  const apiKey = (key: string) => new Credentials({ apiKey: key });

  /** Without waiting: only the clock is another. */
  const later = (milliseconds: number) => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });

  it(proves('access.keys', 'a key is recognised by its hash, in either header'), () => {
    const hashes = { [hashOf('one')]: { id: '1', scopes: ['read'] }, [upperCase(hashOf('two'))]: { id: '2' } };
    const keys = apiKeys({ keys: hashes });
    const ask = (credentials: Credentials) => keys.authenticate(credentials, neverReported);
    expect(ask(apiKey('one'))).toEqual({ id: '1', kind: 'key', scopes: ['read'], claims: {} });
    expect(ask(bearer('two'))).toMatchObject({ id: '2' });
    // The same object each time, so that what is computed for a principal is computed once.
    expect(ask(bearer('one'))).toBe(ask(apiKey('one')));
    expect(ask(bearer('three'))).toBeUndefined();
    expect(ask(new Credentials({}))).toBeUndefined();
    for (const wrong of ['', 'three', 'On e', 'one ', 'one\0', hashOf('one'), hashOf('one').slice(7), '__proto__'])
      expect(ask(apiKey(wrong))).toEqual({ rejected: 'the API key is unknown' });
  });

  it('what was once unknown, or known, is remembered, and still compared as a whole', () => {
    const keys = apiKeys({ keys: { [hashOf(`a${'x'.repeat(40)}`)]: { id: 'a' } } });
    const idOf = (key: string) => (keys.authenticate(bearer(key), neverReported) as Principal | undefined)?.id;
    // They end alike, which is how they are looked up.
    const ids = ['a', 'b', '', 'a', 'b', 'ab', 'a'].map((start) => idOf(start + 'x'.repeat(40)));
    expect(ids).toEqual(['a', undefined, undefined, 'a', undefined, undefined, 'a']);
    for (let i = 0; i < 3000; i++) expect(idOf(`unknown-${i}`)).toBeUndefined();
    expect(idOf(`a${'x'.repeat(40)}`)).toBe('a');
  });

  it('what belongs to a key cannot be changed by a call', () => {
    const keys = apiKeys({ keys: { [hashOf('one')]: { id: '1', claims: { roles: ['reader'] } } } });
    const principal = keys.authenticate(apiKey('one'), neverReported) as Principal;
    const roles = principal.claims['roles'] as string[];
    expect(() => roles.push('admin')).toThrow(TypeError);
  });

  it.each([
    [{ 'my-secret-key': { id: 'ci' } }, /the key of "ci" must be "sha256:" and the 64 hexadecimal digits/],
    [{ [hashOf('')]: { id: 'ci' } }, /the key of "ci" is empty/],
    [{ [hashOf('a')]: { id: '' } }, /The id of a principal must be a string/],
    [{ [hashOf('a')]: 'ci' }, /each key needs a principal/],
    [{ [hashOf('a')]: { id: 'ci', scope: ['read'] } }, /unknown option "scope" \(did you mean "scopes"\?\)/],
    [{ [hashOf('a')]: { id: 'ci', scopes: ['read write'] } }, /list of strings without spaces/],
    [{ [hashOf('a')]: { id: '1' }, [upperCase(hashOf('a'))]: { id: '2' } }, /"2" is listed twice/],
    [[], /keys must be an object/],
  ])(proves('access.mistakes', 'a mistake in the keys is one message, without the key: %#'), (keys, message) => {
    expect(() => apiKeys({ keys: keys as never })).toThrow(message);
    expect(() => apiKeys({ keys: keys as never })).not.toThrow(/my-secret-key/);
  });

  it('either keys or a file', () => {
    expect(() => apiKeys({} as never)).toThrow(/either keys or a file/);
    expect(() => apiKeys({ keys: {}, file: 'keys.json' } as never)).toThrow(/either keys or a file/);
    expect(() => apiKeys({ files: 'keys.json' } as never)).toThrow(/did you mean "file"/);
  });

  it(proves('access.key-file', 'a file is read again when it changes; a broken one changes nothing'), () => {
    const file = join(temporaryFolder('keys'), 'keys.json');
    const save = (keys: object) => writeFileSync(file, JSON.stringify(keys));
    expect(() => apiKeys({ file })).toThrow(new TypeError(`apiKeys: no such file: ${file}`));
    const hint = '; a built app looks for it beside the built file';
    expect(() => apiKeys({ file: pathToFileURL(file) })).toThrow(`apiKeys: no such file: ${file}${hint}`);
    expect(() => apiKeys({ file: dirname(file) })).toThrow(`apiKeys: ${dirname(file)} cannot be read (EISDIR)`);
    writeFileSync(file, '{"sha256:plain-secret');
    expect(() => apiKeys({ file })).toThrow('apiKeys: the file with API keys is not valid JSON');

    save({ [hashOf('one')]: { id: '1' } });
    const keys = apiKeys({ file: pathToFileURL(file) });
    const reported: string[] = [];
    const idOf = (key: string) => {
      const verdict = keys.authenticate(bearer(key), (error) => reported.push((error as Error).message));
      return (verdict as { id?: string } | undefined)?.id;
    };
    expect([idOf('one'), idOf('two')]).toEqual(['1', undefined]);
    save({ [hashOf('two')]: { id: '2' } });
    later(1000);
    expect([idOf('one'), idOf('two')]).toEqual([undefined, '2']);

    for (const broken of ['{"sha256:plain-secret', '[]', JSON.stringify({ 'plain-secret': { id: '3' } })]) {
      writeFileSync(file, broken);
      later(2000);
      expect(idOf('two')).toBe('2');
      later(2000);
      expect(idOf('two')).toBe('2');
    }
    rmSync(file);
    later(2000);
    expect(idOf('two')).toBe('2');
    expect(reported).toHaveLength(4);
    expect(reported.join()).not.toMatch(/plain-secret/);

    save({});
    later(2000);
    expect(idOf('two')).toBeUndefined();
  });
});

test('a token that is the end of another one is not that one', () => {
  const verified = new Verified<string>();
  const token = `${'a'.repeat(100)}${'b'.repeat(32)}`;
  verified.keep(token, 'long', Infinity);
  expect(verified.get('b'.repeat(32))).toBeUndefined();
  expect(verified.get(`c${token.slice(1)}`)).toBeUndefined();
  expect(verified.get(token)).toBe('long');
  verified.keep('b'.repeat(32), 'short', Infinity);
  expect(verified.get('b'.repeat(32))).toBe('short');
  expect(verified.get(token)).toBeUndefined(); // dropped, and verified again with the next call
});

describe('SHA-256', () => {
  const text = 'a key, ü, 🔑';
  const expected = createHash('sha256').update(text).digest('hex');

  afterEach(() => void vi.unstubAllGlobals());

  /** As in a runtime that has this of Node. */
  async function load(getBuiltinModule?: (name: string) => unknown) {
    vi.resetModules();
    vi.stubGlobal('process', getBuiltinModule && { getBuiltinModule });
    const { sha256 } = await import('../../src/access/sha256.ts');
    vi.unstubAllGlobals();
    return sha256;
  }

  it('is the same in every runtime', async () => {
    const builtin = process.getBuiltinModule;
    expect((await load(builtin))(text)).toBe(expected);
    expect((await load(() => ({ createHash })))(text)).toBe(expected);
    const web = (await load())(text);
    expect(web).toBeInstanceOf(Promise);
    expect(await web).toBe(expected);
  });

  it('API keys work where hashing takes a promise', async () => {
    await load();
    vi.stubGlobal('process', undefined);
    const access = await import('everywire/access');
    vi.unstubAllGlobals();
    const keys = access.apiKeys({ keys: { [`sha256:${expected}`]: { id: 'ci' } } });
    const ask = (given: object) => keys.authenticate(new access.Credentials(given), neverReported);
    expect(await ask({ apiKey: text })).toMatchObject({ id: 'ci' });
    expect(await ask({ apiKey: 'x' })).toHaveProperty('rejected');
    expect(await ask({ bearer: 'x' })).toBeUndefined();
  });

  it('base64 is the same where there is no Buffer', async () => {
    const bytes = randomBytes(30_000);
    vi.resetModules();
    vi.stubGlobal('Buffer', undefined);
    const { fromBase64, toBase64 } = await import('../../src/schema/base64.ts');
    vi.unstubAllGlobals();
    for (const length of [0, 1, 2, 3, 30_000]) {
      const part = bytes.subarray(0, length);
      expect(toBase64(part)).toBe(part.toString('base64'));
      expect(fromBase64(part.toString('base64'))).toEqual(new Uint8Array(part));
    }
  });
});

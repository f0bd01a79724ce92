import { jwt, type JwtOptions } from 'everywire/access';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { proves } from '../promises.ts';
import { appWith } from './ask.ts';
import { AUDIENCE, createKey, startIssuer, type Issuer } from './issuer.ts';

const first = createKey('first');
const second = createKey('second', 'RS256');
let issuer: Issuer;
beforeEach(async () => void (issuer = await startIssuer(first)));
afterEach(async () => {
  vi.useRealTimers();
  await issuer[Symbol.asyncDispose]();
});

const app = (options: Partial<JwtOptions> = {}) => appWith(jwt({ issuer: issuer.url, audience: AUDIENCE, ...options }));
const later = (milliseconds: number) => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
const UNAUTHENTICATED = { code: 'UNAUTHENTICATED' };

it(proves('access.jwt', 'a token is recognised, with its id, scopes and claims'), async () => {
  const { ask } = app({ secretClaims: ['ssn'] });
  const { principal } = await ask(issuer.token({ scope: 'read  write * "', roles: ['staff'], ssn: '078-05-1120' }));
  expect(principal).toMatchObject({ id: 'ada', kind: 'jwt', scopes: ['read', 'write'], claims: { roles: ['staff'] } });
  expect(principal!.claims).not.toHaveProperty('ssn');
  // Kept for later calls, so no call may change it.
  expect(() => (principal!.claims['roles'] as string[]).push('admin')).toThrow(TypeError);
});

it.each([
  ['at+jwt', undefined],
  ['JWT', undefined],
  ['application/at+JWT', undefined],
  ['at+jwt', { aud: [AUDIENCE, 'https://other.example.com'] }],
  ['at+jwt', { aud: `${AUDIENCE}/` }],
  ['at+jwt', { scope: undefined, scp: ['read'] }],
  ['at+jwt', { scope: undefined, scp: 'read' }],
])('accepts what other issuers write: typ %s, %o', async (typ, claims) => {
  expect(await app().ask(issuer.token(claims, { typ }))).toMatchObject({ principal: { id: 'ada', scopes: ['read'] } });
});

it('the author may read scopes from other claims', async () => {
  const scopes = ({ roles }: Readonly<Record<string, unknown>>) => (roles as string[]).map((role) => `role:${role}`);
  const { ask, logged } = app({ scopes });
  expect(await ask(issuer.token({ roles: ['staff'] }))).toMatchObject({ principal: { scopes: ['role:staff'] } });
  // A mistake in that function lets nobody in.
  expect(await ask(issuer.token({ roles: undefined }))).toMatchObject({ code: 'UNAVAILABLE' });
  expect(await ask(issuer.token({ roles: ['two words'] }))).toMatchObject({ code: 'UNAVAILABLE' });
  expect(logged).toHaveLength(2);
});

describe(proves('access.closed', 'if keys cannot be fetched, nobody gets in, and the log says why'), () => {
  const failures: [string, NonNullable<Issuer['answer']>][] = [
    ['status 500', (_, response) => void response.writeHead(500).end()],
    ['status 302', (_, response) => void response.writeHead(302, { location: '/jwks' }).end()],
    ['JSON object', (_, response) => void response.end('<html>')],
    ['more than', (_, response) => void response.end(`{"a":"${'x'.repeat(600_000)}"}`)],
    ['cannot be re', ({ socket }) => void socket.destroy()],
    [
      'JSON Web Key Set malformed',
      (_, response) =>
        void response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks`, keys: 1 })),
    ],
  ];
  it.each(failures)('%s', async (reason, answer) => {
    issuer.answer = answer;
    const { ask, logged } = app();
    const token = issuer.token();
    expect(await ask(token)).toEqual({ code: 'UNAVAILABLE', message: 'Credentials cannot be checked at the moment' });
    expect(logged).toEqual([expect.stringContaining(reason)]);
    expect(logged[0]).toContain(`The keys of ${issuer.url} cannot be fetched`);
    expect(logged[0]).not.toContain(token);
    // Not once per call: the next attempt is after a second.
    const { length } = issuer.requests;
    expect(await ask(token)).toMatchObject({ code: 'UNAVAILABLE' });
    expect(issuer.requests).toHaveLength(length);
    issuer.answer = undefined;
    later(1000);
    expect(await ask(token)).toHaveProperty('principal');
  });

  it('nobody listens, or nobody answers', async () => {
    const token = issuer.token();
    issuer.answer = () => {};
    const { ask, logged } = app();
    expect(await ask(token)).toMatchObject({ code: 'UNAVAILABLE' });
    expect(logged[0]).toMatch(/timeout/);
    await issuer[Symbol.asyncDispose]();
    const refused = app();
    expect(await refused.ask(token)).toMatchObject({ code: 'UNAVAILABLE' });
    expect(refused.logged[0]).toMatch(/ECONNREFUSED/);
  });
});

it('several issuers: each decides about its own tokens', async () => {
  await using other = await startIssuer(second);
  const { ask } = appWith(
    jwt({ issuer: issuer.url, audience: AUDIENCE, name: 'staff' }),
    jwt({ issuer: other.url, audience: AUDIENCE, name: 'customers' }),
  );
  expect(await ask(issuer.token())).toMatchObject({ principal: { kind: 'staff' } });
  expect(await ask(other.token())).toMatchObject({ principal: { kind: 'customers' } });
  expect(await ask(other.token({ iss: issuer.url }))).toMatchObject(UNAUTHENTICATED);
  expect(await ask(issuer.token({ iss: other.url }))).toMatchObject(UNAUTHENTICATED);
});

import { Credentials, introspection, jwt, type IntrospectionOptions, type JwtOptions } from 'everywire/access';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { discoverJwks } from '../../src/access/discover.ts';
import { AUDIENCE, createKey, seconds, signToken } from '../access/issuer.ts';
import { proves } from '../promises.ts';

const ISSUER = 'https://issuer.example.com';
const OIDC = `${ISSUER}/.well-known/openid-configuration`;
const JWKS = `${ISSUER}/jwks`;
const SERVER = `${ISSUER}/introspect`;
const [key, newKey, otherKey] = [createKey('key'), createKey('new'), createKey('other')];

/** What the authorization server answers, by address. */
let answers: Record<string, unknown>;
let requests: string[];
beforeEach(() => {
  requests = [];
  answers = { [OIDC]: { issuer: ISSUER, jwks_uri: JWKS }, [JWKS]: { keys: [key.jwk] } };
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.stubGlobal('fetch', async (url: string | URL) => {
    requests.push(String(url));
    const answer = answers[String(url)];
    if (answer instanceof Response) return answer;
    return Response.json(answer ?? {}, { status: answer ? 200 : 404 });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const later = (milliseconds: number) => void vi.setSystemTime(Date.now() + milliseconds);
const right = () => ({ iss: ISSUER, aud: AUDIENCE, sub: 'ada', exp: seconds() + 7200, scope: 'read' });
const sign = (claims: object = {}, header: object = {}, by = key) => signToken(by, { ...right(), ...claims }, header);

/** The id of the principal, why it is rejected, or that the token is for others. */
function ask(authenticator: ReturnType<typeof jwt>, report: (thrown: unknown) => void = () => {}) {
  return async (bearer: string | undefined): Promise<string> => {
    const verdict = await authenticator.authenticate(new Credentials({ bearer }), report);
    if (!verdict) return 'unknown';
    return 'rejected' in verdict ? verdict.rejected : [verdict.id, ...verdict.scopes].join(' ');
  };
}

it('every mistake in the options is in one message', () => {
  const message = /^introspection: audience is missing.*url must be.*clientId is missing; clientSecret is missing$/;
  expect(() => introspection({} as never)).toThrow(message);
  expect(() => jwt({ jwks: {} } as never)).toThrow(/^jwt: audience is missing.*issuer must be.*jwks must have a list/);
});

describe('the keys of an issuer are where its metadata says', () => {
  const AUTHORIZATION = `${ISSUER}/.well-known/oauth-authorization-server`;
  const fine = { issuer: ISSUER, jwks_uri: JWKS };
  it.each<[string, string, Record<string, unknown>, string]>([
    [
      'OpenID Connect',
      ISSUER,
      { [OIDC]: fine, [AUTHORIZATION]: { ...fine, jwks_uri: 'https://no.example.com' } },
      JWKS,
    ],
    ['RFC 8414', ISSUER, { [AUTHORIZATION]: fine }, JWKS],
    ['a slash less', `${ISSUER}/`, { [OIDC]: fine }, JWKS],
    ['a slash more', ISSUER, { [OIDC]: { ...fine, issuer: `${ISSUER}/` } }, JWKS],
    ['a path', `${ISSUER}/t/`, { [`${AUTHORIZATION}/t`]: { ...fine, issuer: `${ISSUER}/t` } }, JWKS],
    ['of another issuer', ISSUER, { [OIDC]: { ...fine, issuer: 'https://other.example.com' } }, 'about another issuer'],
    ['of nobody', ISSUER, { [OIDC]: { jwks_uri: JWKS } }, 'about another issuer'],
    ['keys without HTTPS', ISSUER, { [OIDC]: { ...fine, jwks_uri: 'http://issuer.example.com/' } }, 'with HTTPS'],
    ['keys with a password', ISSUER, { [OIDC]: { ...fine, jwks_uri: 'https://a:b@example.com/' } }, 'with HTTPS'],
    ['no keys', ISSUER, { [OIDC]: { issuer: ISSUER } }, 'with HTTPS'],
    ['keys on this machine', ISSUER, { [OIDC]: { ...fine, jwks_uri: 'http://127.0.0.1/' } }, 'http://127.0.0.1/'],
    ['a list', ISSUER, { [OIDC]: [fine] }, 'a JSON object'],
    ['no content', ISSUER, { [OIDC]: new Response(null, { status: 204 }) }, `${OIDC} answers with status 204`],
    ['nothing', ISSUER, {}, `${OIDC} answers with status 404; ${AUTHORIZATION} answers with status 404`],
  ])('%s', async (_, issuer, published, expected) => {
    answers = published;
    const found = await discoverJwks(issuer, AbortSignal.timeout(5000)).catch((error: Error) => error.message);
    expect(found).toContain(expected);
  });
});

describe('a signed token', () => {
  const create = (options: Partial<JwtOptions> = {}, report?: (thrown: unknown) => void) =>
    ask(jwt({ issuer: ISSUER, audience: AUDIENCE, ...options }), report);

  it.each<[string, () => string | undefined, string]>([
    ['right', () => sign(), 'ada read'],
    ['none', () => undefined, 'unknown'],
    ['not a token', () => 'a.b', 'unknown'],
    ['of another issuer', () => sign({ iss: 'https://other.example.com' }), 'unknown'],
    ['longer than any header', () => sign({ long: 'x'.repeat(20_000) }), 'unknown'],
    ['for another audience', () => sign({ aud: 'https://other.example.com' }), 'the token is for another audience'],
    ['expired', () => sign({ exp: seconds() - 31 }), 'the token has expired'],
    ['expired by the difference of clocks', () => sign({ exp: seconds() - 29 }), 'ada read'],
    ['for ever', () => sign({ exp: undefined }), 'the token does not say when it expires'],
    ['too early', () => sign({ nbf: seconds() + 32 }), 'the token is not valid yet'],
    ['of another type', () => sign({}, { typ: 'logout+jwt' }), 'the token is of another type'],
    ['of no type', () => sign({}, { typ: undefined }), 'ada read'],
    ['by another key', () => sign({}, {}, otherKey), 'the token is signed with an unknown key'],
    ['by another key of that name', () => sign({}, { kid: 'key' }, otherKey), 'the signature of the token is wrong'],
    ['of nobody', () => sign({ sub: '' }), 'the token does not say whose it is'],
    ['of a client', () => sign({ sub: undefined, client_id: 'app', scope: ['a', 1, '*', 'b c'] }), 'app a'],
    ['bound to a key', () => sign({ cnf: {} }), 'the token is no bearer token'],
  ])('%s', async (_, token, expected) => expect(await create()(token())).toBe(expected));

  it(proves('access.jwt-cache', 'is kept for five minutes, or until it expires; a rejected one is not'), async () => {
    const asked = create({ jwks: { keys: [key.jwk as never] } });
    const authenticator = jwt({ issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [key.jwk as never] } });
    const isKept = (token: string) =>
      !(authenticator.authenticate(new Credentials({ bearer: token }), () => {}) instanceof Promise);
    const [long, short] = [sign(), sign({ exp: seconds() + 60 })];
    for (const token of [long, short])
      expect([await ask(authenticator)(token), isKept(token)]).toEqual(['ada read', true]);
    later(89_000);
    expect([isKept(long), isKept(short)]).toEqual([true, true]);
    later(2000);
    expect([isKept(long), isKept(short)]).toEqual([true, false]);
    expect(await asked(short)).toBe('the token has expired');
    later(210_000);
    expect(isKept(long)).toBe(false);
    expect(requests).toEqual([]);
  });

  it(proves('access.jwks', 'keys are fetched again after ten minutes, or used for an hour'), async () => {
    const reported: string[] = [];
    const asked = create({ jwks: JWKS }, (thrown) => void reported.push((thrown as Error).message));
    /** Verified with the keys, since it was never sent before. */
    let count = 0;
    const fetches = async (expected: string) => {
      requests = [];
      // Once, for all that come at the same time.
      for (const answer of await Promise.allSettled([1, 2, 3].map(() => asked(sign({ jti: String(count++) })))))
        expect(answer.status === 'fulfilled' ? answer.value : String(answer.reason)).toContain(expected);
      return requests.length;
    };
    expect(await fetches('ada')).toBe(1);
    later(599_999);
    expect(await fetches('ada')).toBe(0);
    later(1);
    answers = {};
    expect(await fetches('ada')).toBe(1);
    expect([...new Set(reported)]).toEqual([expect.stringContaining('cannot be fetched')]);
    later(29_999);
    expect(await fetches('ada')).toBe(0);
    later(1);
    expect(await fetches('ada')).toBe(1);
    later(3_600_000 - 630_000);
    expect(await fetches('cannot be fetched')).toBe(1);
    later(999);
    expect(await fetches('cannot be fetched')).toBe(0);
    answers = { [JWKS]: { keys: [key.jwk] } };
    later(1);
    expect(await fetches('ada')).toBe(1);
  });

  it('with an unknown key may have a new one, for which is looked every ten seconds', async () => {
    const asked = create({ jwks: JWKS });
    const UNKNOWN = 'the token is signed with an unknown key';
    expect([await asked(sign()), await asked(sign({}, {}, newKey))]).toEqual(['ada read', UNKNOWN]);
    answers[JWKS] = { keys: [key.jwk, newKey.jwk] };
    later(9999);
    expect([await asked(sign({}, {}, newKey)), requests.length]).toEqual([UNKNOWN, 2]);
    later(1);
    expect([await asked(sign({}, {}, newKey)), requests.length]).toEqual(['ada read', 3]);
  });
});

describe('a token that only the authorization server can read', () => {
  const create = (options: Partial<IntrospectionOptions> = {}) =>
    ask(introspection({ url: SERVER, audience: AUDIENCE, clientId: 'app', clientSecret: 'secret', ...options }));
  const active = (more: object = {}) => ({ active: true, ...right(), ...more });

  it.each<[string, () => unknown, string]>([
    ['right', active, 'ada read'],
    ['not active', () => active({ active: false }), 'the token is not active'],
    ['for several', () => active({ aud: ['https://other.example.com', `${AUDIENCE}/`] }), 'ada read'],
    ['for others', () => active({ aud: ['https://other.example.com'] }), 'the token is for another audience'],
    ['expired', () => active({ exp: Date.now() / 1000 - 30 }), 'the token has expired'],
    ['expired by the difference of clocks', () => active({ exp: Date.now() / 1000 - 29 }), 'ada read'],
    ['for ever', () => active({ exp: undefined }), 'ada read'],
    ['too early', () => active({ nbf: seconds() + 32 }), 'the token is not valid yet'],
    ['early by the difference of clocks', () => active({ nbf: seconds() + 30 }), 'ada read'],
    ['a bearer token', () => active({ token_type: 'Bearer' }), 'ada read'],
    ['another token', () => active({ token_type: 'N_A' }), 'the token is no bearer token'],
    ['no answer', () => undefined, 'does not say whether a token is valid'],
  ])('%s', async (_, answer, expected) => {
    answers[SERVER] = answer();
    expect(await create()('token').catch((error: Error) => error.message)).toContain(expected);
  });

  it('is asked for once while it is kept: 30 seconds, or until it expires, and ten if it is rejected', async () => {
    const asked = create();
    const asks = async (token: string, answer: unknown) => {
      requests = [];
      answers[SERVER] = answer;
      await Promise.all([asked(token), asked(token)]);
      return requests.length;
    };
    expect(await asks('long', active())).toBe(1);
    expect(await asks('short', active({ exp: Date.now() / 1000 + 5 }))).toBe(1);
    expect(await asks('bad', { active: false })).toBe(1);
    later(4999);
    expect(await asks('short', {})).toBe(0);
    later(1);
    expect(await asks('short', active())).toBe(1);
    later(4999);
    expect(await asks('bad', {})).toBe(0);
    later(1);
    expect(await asks('bad', active())).toBe(1);
    later(19_999);
    expect(await asks('long', {})).toBe(0);
    later(1);
    expect(await asks('long', active())).toBe(1);
    expect([await asked(''), await asked('x'.repeat(16_385))]).toEqual(['unknown', 'unknown']);
  });

  it('is not asked for while 100 others are', async () => {
    answers[SERVER] = active();
    const authenticator = introspection({ url: SERVER, audience: AUDIENCE, clientId: 'app', clientSecret: 'secret' });
    const all = Array.from({ length: 100 }, (_, i) => ask(authenticator)(`token-${i}`));
    await expect(ask(authenticator)('one more')).rejects.toThrow('100 tokens are being checked');
    expect(new Set(await Promise.all(all))).toEqual(new Set(['ada read']));
    expect(await ask(authenticator)('one more')).toBe('ada read');
  });
});

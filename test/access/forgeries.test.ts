import { constants, publicEncrypt, randomBytes } from 'node:crypto';
import { apiKeys, jwt } from 'everywire/access';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { appWith, type Asked } from './ask.ts';
import { AUDIENCE, base64, createKey, seconds, signToken, signWithSecret, startIssuer } from './issuer.ts';
import type { Issuer, SigningKey } from './issuer.ts';

const ec = createKey('ec');
const rsa = createKey('rsa', 'RS256');
let issuer: Issuer;
let app: Asked;
let forgeries: Forgery[];
beforeAll(async () => {
  issuer = await startIssuer(ec, rsa);
  app = appWith(apiKeys({ keys: {} }), jwt({ issuer: issuer.url, audience: AUDIENCE }));
  forgeries = forge();
});
afterAll(() => issuer[Symbol.asyncDispose]());

it(proves('access.forged', 'no forged or mutated token is accepted'), async () => {
  // Otherwise the rest would prove nothing. Now it is also one of those that are kept.
  for (const key of [ec, rsa]) expect(await app.ask(issuer.token({}, {}, key))).toHaveProperty('principal');
  expect(forgeries.length).toBeGreaterThanOrEqual(60);
  expect(new Set(forgeries.map(({ title }) => title)).size).toBe(forgeries.length);
  for (const { title, token } of forgeries) {
    const answer = await app.ask(token);
    expect(answer, title).toMatchObject({ code: 'UNAUTHENTICATED' });
    // In words of our own, which do not repeat what was sent.
    expect(answer.message, title).toMatch(/^Invalid credentials: [\w ]+$/);
  }
  // That a token is wrong is not a failure of the app.
  expect(app.logged).toEqual([]);
});

it('nor is any other that differs from a good one in one character', async () => {
  const good = issuer.token();
  await app.ask(good);
  // Bits of the last character of each part that are not used may differ: then it has the same bytes, and is the same token.
  const bytesOf = (token: string) =>
    token
      .split('.')
      .map((part) => base64(Buffer.from(part, 'base64url')))
      .join('.');
  const positions = Array.from({ length: 150 }, (_, i) => Math.floor((i * good.length) / 150));
  for (const at of [...positions, good.length - 1]) {
    for (const character of ['A', '-', '.', '/', '=']) {
      const mutated = good.slice(0, at) + character + good.slice(at + 1);
      if (mutated === good || bytesOf(mutated) === bytesOf(good)) continue;
      expect(await app.ask(mutated), mutated).toMatchObject({ code: 'UNAUTHENTICATED' });
    }
  }
  expect(app.logged).toEqual([]);
});

interface Forgery {
  readonly title: string;
  readonly token: string;
}

/** Tokens that must not be accepted. */
function forge(): Forgery[] {
  const now = seconds();
  const right = { iss: issuer.url, aud: AUDIENCE, sub: 'ada', iat: now, exp: now + 300, scope: 'read' };
  const own = createKey(ec.kid);
  const ownRsa = createKey(rsa.kid, 'RS256');
  const good = issuer.token({}, {}, ec);
  const goodRsa = issuer.token({ sub: 'grace' }, {}, rsa);
  const [head = '', body = '', signature = ''] = good.split('.');
  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' });
  const pkcs1 = rsa.publicKey.export({ type: 'pkcs1', format: 'pem' });
  const der = rsa.publicKey.export({ type: 'spki', format: 'der' });
  const claims = (title: string, change: object): Forgery => ({ title, token: issuer.token(change, {}, ec) });
  const header = (title: string, change: object): Forgery => ({ title, token: issuer.token({}, change, ec) });
  const unsigned = (alg: unknown) => `${base64({ alg, typ: 'JWT' })}.${base64(right)}.`;
  const hs = (secret: string | Buffer, more: object = {}) =>
    signWithSecret(secret, right, { alg: 'HS256', typ: 'JWT', kid: rsa.kid, ...more });
  const tampered = (change: object) => `${head}.${base64({ ...right, ...change })}.${signature}`;

  return [
    // Not signed.
    ...['none', 'None', 'NONE', 'nOnE', '', null, undefined, 'none ', ['none']].map((alg) => ({
      title: `alg ${JSON.stringify(alg)}`,
      token: unsigned(alg),
    })),
    { title: 'alg none with the signature of another', token: `${unsigned('none')}${signature}` },
    { title: 'signature removed', token: `${head}.${body}.` },
    { title: 'signature of zeros', token: `${head}.${body}.${base64(Buffer.alloc(64))}` },
    { title: 'signature of the group order', token: `${head}.${body}.${base64(Buffer.alloc(64, 0xff))}` },
    { title: 'signature cut', token: `${head}.${body}.${signature.slice(0, -4)}` },
    { title: 'signature longer', token: `${head}.${body}.${signature}AAAA` },
    { title: 'signature at random', token: `${head}.${body}.${base64(randomBytes(64))}` },
    { title: 'signature in DER', token: derSigned(ec, right) },
    {
      title: 'signature of another token',
      token: `${head}.${body}.${issuer.token({ sub: 'b' }, {}, ec).split('.')[2]}`,
    },
    // Signed with something that everybody knows.
    { title: 'HS256 with the public key as PEM', token: hs(String(pem)) },
    { title: 'HS256 with the public key as PEM, trimmed', token: hs(String(pem).trim()) },
    { title: 'HS256 with the public key as PKCS 1', token: hs(String(pkcs1)) },
    { title: 'HS256 with the public key as DER', token: hs(der) },
    { title: 'HS256 with the public key as JWK', token: hs(JSON.stringify(rsa.jwk)) },
    { title: 'HS256 with the modulus', token: hs(Buffer.from(rsa.jwk.n!, 'base64url')) },
    { title: 'HS256 with an empty secret', token: hs('') },
    { title: 'HS256 with "secret"', token: hs('secret') },
    { title: 'HS256 without a kid', token: hs(String(pem), { kid: undefined }) },
    { title: 'HMAC that claims to be RS256', token: hs(String(pem), { alg: 'RS256' }) },
    { title: 'HMAC that claims to be ES256', token: hs(String(pem), { alg: 'ES256', kid: ec.kid }) },
    // Signed with a key of the caller.
    { title: 'another key with the same kid', token: signToken(own, right) },
    { title: 'another RSA key with the same kid', token: signToken(ownRsa, right) },
    { title: 'another key, no kid', token: signToken(own, right, { kid: undefined }) },
    { title: 'unknown kid', token: signToken(own, right, { kid: 'unknown' }) },
    { title: 'kid is a path', token: signToken(own, right, { kid: '../../../../dev/null' }) },
    { title: 'kid is SQL', token: signToken(own, right, { kid: "x' UNION SELECT 'key" }) },
    { title: 'kid is __proto__', token: signToken(own, right, { kid: '__proto__' }) },
    { title: 'kid is a list', token: signToken(own, right, { kid: [ec.kid] }) },
    { title: 'kid is a number', token: signToken(own, right, { kid: 1 }) },
    { title: 'key in the header (jwk)', token: signToken(own, right, { jwk: own.jwk }) },
    { title: 'key in the header, no kid', token: signToken(own, right, { jwk: own.jwk, kid: undefined }) },
    { title: 'keys elsewhere (jku)', token: signToken(own, right, { jku: `${issuer.url}/evil` }) },
    { title: 'certificate elsewhere (x5u)', token: signToken(own, right, { x5u: `${issuer.url}/evil` }) },
    { title: 'certificate in the header (x5c)', token: signToken(own, right, { x5c: [base64(der)] }) },
    // Signed by the issuer, but for another algorithm, type or purpose.
    { title: 'RS256 with the kid of the EC key', token: signToken(rsa, right, { kid: ec.kid }) },
    { title: 'ES256 with the kid of the RSA key', token: signToken(ec, right, { kid: rsa.kid }) },
    header('alg RS512, which is not allowed', { alg: 'RS512' }),
    header('alg ES384', { alg: 'ES384' }),
    header('alg in lower case', { alg: 'es256' }),
    header('typ of a proof of possession', { typ: 'dpop+jwt' }),
    header('typ of a logout token', { typ: 'logout+jwt' }),
    header('typ of a security event', { typ: 'secevent+jwt' }),
    header('typ is a number', { typ: 1 }),
    header('unknown critical header', { crit: ['evil'], evil: true }),
    header('crit is empty', { crit: [] }),
    header('payload not encoded', { b64: false, crit: ['b64'] }),
    // Signed by the issuer, but not valid here and now.
    claims('expired', { exp: now - 31 }),
    claims('expires never', { exp: undefined }),
    claims('exp is text', { exp: String(now + 300) }),
    claims('exp is null', { exp: null }),
    claims('exp is a list', { exp: [now + 300] }),
    claims('not yet valid', { nbf: now + 40 }),
    claims('nbf is text', { nbf: 'tomorrow' }),
    claims('iat is text', { iat: 'yesterday' }),
    claims('another audience', { aud: 'https://other.example.com' }),
    claims('other audiences', { aud: ['https://other.example.com', 'api'] }),
    claims('no audience', { aud: undefined }),
    claims('audience is empty', { aud: '' }),
    claims('audiences are empty', { aud: [] }),
    claims('audience is an object', { aud: { [AUDIENCE]: true } }),
    claims('audience that begins alike', { aud: `${AUDIENCE}.evil.example.com` }),
    claims('audience that is shorter', { aud: 'https://api.example.co' }),
    claims('audience in upper case', { aud: AUDIENCE.toUpperCase() }),
    claims('audience with two slashes', { aud: `${AUDIENCE}//` }),
    claims('another issuer', { iss: 'https://evil.example.com' }),
    claims('no issuer', { iss: undefined }),
    claims('issuer is a list', { iss: [issuer.url] }),
    claims('issuer that begins alike', { iss: `${issuer.url}.evil.example.com` }),
    claims('nobody', { sub: undefined }),
    claims('nobody, in a string', { sub: '' }),
    claims('sub is a number', { sub: 1 }),
    claims('sub is an object', { sub: { id: 'ada' } }),
    claims('bound to a key (DPoP)', { cnf: { jkt: 'x' } }),
    claims('bound to a certificate (mTLS)', { cnf: { 'x5t#S256': 'x' } }),
    // Signed by the issuer, then changed.
    { title: 'more scopes', token: tampered({ scope: 'read admin' }) },
    { title: 'another sub', token: tampered({ sub: 'admin' }) },
    { title: 'later exp', token: tampered({ exp: now + 86_400 }) },
    { title: 'header changed', token: `${base64({ alg: 'ES256', kid: ec.kid })}.${body}.${signature}` },
    { title: 'body of another token', token: `${head}.${goodRsa.split('.')[1]}.${signature}` },
    { title: 'header of another token', token: `${goodRsa.split('.')[0]}.${body}.${signature}` },
    // Not a token.
    { title: 'empty', token: '' },
    { title: 'dots', token: '..' },
    { title: 'two parts', token: `${head}.${body}` },
    { title: 'four parts', token: `${good}.${signature}` },
    { title: 'five parts, as if encrypted', token: `${head}.${body}.${signature}.${body}.${signature}` },
    { title: 'encrypted for the public key', token: encrypted(rsa, right) },
    { title: 'space in front', token: ` ${good}` },
    { title: 'line break behind', token: `${good}\n` },
    { title: 'NUL behind', token: `${good}\0` },
    { title: 'padded', token: `${head}.${body}.${signature}==` },
    { title: 'base64 instead of base64url', token: `${head}.${body}.+/${signature.slice(2)}` },
    { title: 'twice', token: `${good}, ${good}` },
    { title: 'with its scheme', token: `Bearer ${good}` },
    { title: 'as JSON', token: JSON.stringify({ protected: head, payload: body, signature }) },
    { title: 'claims are a list', token: signToken(ec, '[]') },
    { title: 'claims are null', token: signToken(ec, 'null') },
    { title: 'claims are no JSON', token: signToken(ec, '{"sub":') },
    { title: 'header is no JSON', token: `${base64('{')}.${body}.${signature}` },
    { title: 'header is a list', token: `${base64('[]')}.${body}.${signature}` },
    { title: 'very long', token: `${head}.${'A'.repeat(1_000_000)}.${signature}` },
    { title: 'deeply nested', token: `${head}.${base64('['.repeat(5000) + ']'.repeat(5000))}.${signature}` },
    { title: 'issuer twice, the last counts', token: twice(ec, right, 'https://evil.example.com') },
  ];
}

/** As most libraries sign, but not as RFC 7518 says. */
function derSigned(key: SigningKey, claims: object): string {
  const [head, body] = signToken(key, claims).split('.') as [string, string];
  const forged = signToken({ ...key, alg: 'ES256' }, claims).split('.')[2]!;
  const raw = Buffer.from(forged, 'base64url');
  const integer = (bytes: Buffer) => Buffer.concat([Buffer.from([2, bytes.length + 1, 0]), bytes]);
  const both = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))]);
  return `${head}.${body}.${base64(Buffer.concat([Buffer.from([0x30, both.length]), both]))}`;
}

/** Anybody can encrypt for a public key: that it can be decrypted proves nothing. */
function encrypted(key: SigningKey, claims: object): string {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const wrapped = publicEncrypt({ key: key.publicKey, padding }, randomBytes(32));
  const header = base64({ alg: 'RSA-OAEP', enc: 'A256GCM', kid: key.kid, cty: 'JWT' });
  return [header, base64(wrapped), base64(randomBytes(12)), base64(claims), base64(randomBytes(16))].join('.');
}

function twice(key: SigningKey, claims: object, iss: string): string {
  return signToken(key, JSON.stringify(claims).replace(/}$/, `,"iss":"${iss}"}`));
}

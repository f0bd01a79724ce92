// Apps with and without access rules, and what a caller must send.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createApp, defineFunction } from 'everywire';
import { apiKeys, jwt } from 'everywire/access';
import { add } from './add.mjs';

const ISSUER = 'https://auth.example.com';
const AUDIENCE = 'https://api.example.com';
const KEY = 'kSx0vOqk9XcmUuZ3m0bq2rGJt8yN5wLh7dPaEfRiTgA';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const authenticators = () => [
  apiKeys({ keys: { [`sha256:${createHash('sha256').update(KEY).digest('hex')}`]: { id: 'ci', scopes: ['add'] } } }),
  jwt({ issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key' }] } }),
];

export const headers = { nothing: {}, key: { 'x-api-key': KEY }, jwt: { authorization: `Bearer ${token()}` } };

const create = (scopes) =>
  createApp({
    name: 'Bench',
    version: '1.0.0',
    functions: [defineFunction({ ...add, ...(scopes && { scopes }), run: ({ x, y }) => x + y })],
    ...(scopes && { access: { authenticators: authenticators() } }),
  });

export const apps = {
  noRules: () => create(),
  public: () => create('public'),
  rules: () => create(['add']),
};

function part(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function token() {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', iat: now, exp: now + 3600, scope: 'add' };
  const signed = `${part({ alg: 'ES256', kid: 'key', typ: 'at+jwt' })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

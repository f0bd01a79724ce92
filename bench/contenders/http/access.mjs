// The same function with access rules, and what a caller must send.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createApp, defineFunction } from 'everywire';
import { apiKeys, jwt } from 'everywire/access';
import { serve } from 'everywire/node';
import { add } from '../add.mjs';
import { tellParent } from '../tell-parent.mjs';

const ISSUER = 'https://auth.example.com';
const AUDIENCE = 'https://api.example.com';
const KEY = 'kSx0vOqk9XcmUuZ3m0bq2rGJt8yN5wLh7dPaEfRiTgA';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const authenticators = () => [
  apiKeys({ keys: { [`sha256:${createHash('sha256').update(KEY).digest('hex')}`]: { id: 'ci', scopes: ['add'] } } }),
  jwt({ issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key' }] } }),
];

const SENT = { nothing: {}, key: { 'x-api-key': KEY }, jwt: { authorization: `Bearer ${token()}` } };

const [rules, sent] = process.argv.slice(2);
const headers = SENT[sent];
const hasRules = rules === 'rules';
const scopes = sent === 'nothing' ? 'public' : ['add'];
const functions = [defineFunction({ ...add, ...(hasRules && { scopes }), run: ({ x, y }) => x + y })];
const access = hasRules ? { access: { authenticators: authenticators() } } : {};
const { server } = await serve(createApp({ name: 'Bench', version: '1.0.0', functions, ...access }), { port: 0 });
// Its own account is finer than the kernel's, which counts in hundredths of a second.
process.on('message', () => process.send({ cpu: process.cpuUsage() }));
tellParent(server.address().port, headers);

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

import { createHash, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { createApp, defineFunction } from 'everywire';
import { apiKeys, Credentials, introspection, jwt } from 'everywire/access';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { AUDIENCE, base64, createKey, startIssuer, startServer } from './issuer.ts';
import type { Issuer, Server } from './issuer.ts';

const key = createKey('key');
let issuer: Issuer;
let endpoint: Server;
beforeAll(async () => {
  issuer = await startIssuer(key);
  // Returns the token, as no server should.
  endpoint = await startServer((request, response) => {
    let form = '';
    request.on('data', (data) => (form += data));
    request.on('end', () => {
      const token = new URLSearchParams(form).get('token')!;
      const isBroken = token.startsWith('broken');
      response.statusCode = isBroken ? 500 : 200;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(isBroken ? { error: token } : { active: true, aud: AUDIENCE, sub: 'a', jti: token }));
    });
  });
});
afterAll(() => Promise.all([issuer, endpoint].map((server) => server[Symbol.asyncDispose]())));

const canary = () => randomBytes(12).toString('hex');

/** Ways to present something secret: what is sent, and what must not be seen of it. */
const ways: ((secret: string) => { send: ConstructorParameters<typeof Credentials>[0]; hide?: string[] })[] = [
  (secret) => ({ send: { apiKey: secret } }),
  (secret) => ({ send: { bearer: secret } }),
  (secret) => ({ send: { bearer: `broken-${secret}` } }),
  (secret) => ({ send: { bearer: secret, malformed: true } }),
  (secret) => ({ send: { bearer: issuer.token({ secret }) }, hide: [secret, base64(secret)] }),
  (secret) => ({ send: { bearer: issuer.token({ secret: { list: [secret] }, exp: 1 }) } }),
  (secret) => ({ send: { bearer: issuer.token({ aud: secret }) } }),
  (secret) => ({ send: { bearer: issuer.token({ iss: `${issuer.url}/${secret}` }) } }),
  (secret) => ({ send: { bearer: issuer.token({}, { kid: secret }) } }),
  (secret) => ({ send: { bearer: issuer.token({}, { crit: [secret], [secret]: 1 }) } }),
  (secret) => ({ send: { bearer: issuer.token({ exp: secret }) } }),
  (secret) => ({ send: { bearer: `${base64({ alg: secret })}.${base64({ iss: issuer.url, secret })}.${secret}` } }),
];

it(proves('access.secrets', 'no credential and no secret claim is seen anywhere: 500 of them'), async () => {
  const seen: unknown[] = [];
  const see = (...values: unknown[]) => void seen.push(...values);
  const valid = canary();
  const show = defineFunction({
    name: 'Show',
    description: 'Shows and throws all that it knows about its caller',
    scopes: [],
    run: (_, { principal, caller, log }) => {
      see(principal, caller);
      log.info('called', { principal, caller });
      throw new Error(JSON.stringify(principal));
    },
  });
  const app = createApp({
    name: 'Canary',
    version: '1.0.0',
    functions: [show],
    log: { debug: see, info: see, warn: see, error: see },
    audit: { to: see, arguments: true },
    access: {
      authenticators: [
        apiKeys({ keys: { [`sha256:${createHash('sha256').update(valid).digest('hex')}`]: { id: 'key' } } }),
        jwt({ issuer: issuer.url, audience: AUDIENCE, secretClaims: ['secret'] }),
        introspection({
          url: endpoint.url,
          clientId: 'client',
          clientSecret: valid,
          audience: AUDIENCE,
          secretClaims: ['jti'],
        }),
      ],
    },
  });
  const secrets = new Set([valid]);
  const codes = new Set<string>();
  for (let i = 0; i < 500; i++) {
    const secret = i % 50 === 0 ? valid : canary();
    const { send, hide = [secret] } = ways[i % ways.length]!(secret);
    for (const one of [...hide, ...(send.bearer ? [send.bearer, send.bearer.split('.').at(-1)!] : [])])
      secrets.add(one);
    const credentials = new Credentials(send);
    const answer = await app.respond({ name: 'Show', fn: app.find('Show'), caller: { wire: 'test' }, credentials });
    see(answer, credentials, JSON.stringify(credentials), Object.entries(credentials));
    if (!answer.outcome.ok) codes.add(answer.outcome.error.code);
  }
  // Every way was gone: recognised, refused, and not decided.
  expect([...codes].toSorted()).toEqual(['INTERNAL_ERROR', 'UNAUTHENTICATED', 'UNAVAILABLE']);
  expect(secrets.size).toBeGreaterThan(500);
  const all = inspect(seen, { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity, showHidden: true });
  expect(all.length).toBeGreaterThan(100_000);
  expect([...secrets].filter((secret) => all.includes(secret))).toEqual([]);
});

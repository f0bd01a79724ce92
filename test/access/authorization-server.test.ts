import { introspection, jwt, type IntrospectionOptions } from 'everywire/access';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { appWith } from './ask.ts';
import { RESOURCE_SERVER, startAuthorizationServer, type AuthorizationServer } from './authorization-server.ts';
import { AUDIENCE } from './issuer.ts';

const OPAQUE = `${AUDIENCE}/opaque`;
let server: AuthorizationServer;
beforeAll(async () => void (server = await startAuthorizationServer()));
afterAll(() => server[Symbol.asyncDispose]());

const introspecting = (options: Partial<IntrospectionOptions> = {}) =>
  introspection({
    url: `${server.url}/token/introspection`,
    clientId: RESOURCE_SERVER.id,
    clientSecret: RESOURCE_SERVER.secret,
    audience: OPAQUE,
    ...options,
  });

const asked = () => server.requests.filter((path) => path === '/token/introspection').length;

it(proves('access.real-server', 'JWT of a real authorization server are recognised'), async () => {
  const { ask } = appWith(jwt({ issuer: server.url, audience: AUDIENCE }));
  expect(await ask(await server.token(AUDIENCE, 'read write'))).toMatchObject({
    principal: { id: 'job', kind: 'jwt-client', scopes: ['read', 'write'], claims: { client_id: 'job' } },
  });
  const other = await server.token('https://other.example.com');
  expect(await ask(other)).toMatchObject({ message: 'Invalid credentials: the token is for another audience' });
});

it(proves('access.introspection', 'opaque tokens are introspected, once for many calls'), async () => {
  const { ask } = appWith(introspecting());
  const token = await server.token(OPAQUE);
  const before = asked();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(token)));
  expect(answers[0]).toMatchObject({ principal: { id: 'job', kind: 'token-client', scopes: ['read'] } });
  expect(answers[0]!.principal!.claims).not.toHaveProperty('active');
  expect(new Set(answers.map(({ principal }) => principal)).size).toBe(1);
  expect(asked() - before).toBe(1);
});

it('a revoked token is refused, at once if answers are not kept', async () => {
  const { ask } = appWith(introspecting({ cacheSeconds: 0 }));
  const token = await server.token(OPAQUE);
  expect(await ask(token)).toHaveProperty('principal');
  await server.revoke(token);
  const refused = { code: 'UNAUTHENTICATED', message: 'Invalid credentials: the token is not active' };
  expect(await ask(token)).toEqual(refused);
});

it('a wrong secret, or a server that is away: nobody gets in, and the log says why, without secrets', async () => {
  const wrong = appWith(introspecting({ clientSecret: 'canary-client-secret' }));
  expect(await wrong.ask('canary-token')).toMatchObject({ code: 'UNAVAILABLE' });
  const away = appWith(introspecting({ url: 'http://127.0.0.1:9/introspect' }));
  expect(await away.ask('canary-token')).toMatchObject({ code: 'UNAVAILABLE' });
  const logged = [...wrong.logged, ...away.logged].join('\n');
  expect(logged).toMatch(/token\/introspection does not say whether a token is valid/);
  expect(logged).not.toMatch(/canary-(?:token|client)/);
});

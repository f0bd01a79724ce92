import { inspect } from 'node:util';
import { createApp, defineFunction } from 'everywire';
import { apiKeys, Credentials, introspection, jwt } from 'everywire/access';
import { expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { AUDIENCE } from './issuer.ts';
import { startSecrets } from './secrets.ts';

it(proves('access.secrets', 'no credential and no secret claim is seen anywhere: 500 of them'), async () => {
  await using secrets = await startSecrets();
  const { environment, valid } = secrets;
  const seen: unknown[] = [];
  const see = (...values: unknown[]) => void seen.push(...values);
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
        apiKeys({ keys: { [environment['CANARY_KEY']!]: { id: 'key' } } }),
        jwt({ issuer: environment['CANARY_ISSUER']!, audience: AUDIENCE, secretClaims: ['secret'] }),
        introspection({
          url: environment['CANARY_ENDPOINT']!,
          clientId: 'client',
          clientSecret: valid,
          audience: AUDIENCE,
          secretClaims: ['jti'],
        }),
      ],
    },
  });
  const codes = new Set<string>();
  for (let i = 0; i < 500; i++) {
    const credentials = new Credentials(secrets.plant().send);
    const answer = await app.respond({ name: 'Show', fn: app.find('Show'), caller: { wire: 'test' }, credentials });
    see(answer, credentials, JSON.stringify(credentials), Object.entries(credentials));
    if (!answer.outcome.ok) codes.add(answer.outcome.error.code);
  }
  // Every way was gone: malformed, recognised, refused, and not decided.
  expect([...codes].toSorted()).toEqual(['BAD_REQUEST', 'INTERNAL_ERROR', 'UNAUTHENTICATED', 'UNAVAILABLE']);
  expect(secrets.planted.size).toBeGreaterThan(500);
  const all = inspect(seen, { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity, showHidden: true });
  expect(all.length).toBeGreaterThan(100_000);
  expect(secrets.seenIn(all)).toEqual([]);
});

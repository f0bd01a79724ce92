import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApp } from 'everywire';
import { apiKeys, custom, introspection, jwt, type Authenticator } from 'everywire/access';
import { expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { createKey } from './issuer.ts';

const right = { issuer: 'https://auth.example.com', audience: 'https://api.example.com' };
const { privateKey } = createKey('a');

it.each([
  [{ audience: undefined }, /^jwt: audience is missing/],
  [{ audience: '' }, /audience is missing/],
  [{ audience: [] }, /audience is missing/],
  [{ audience: ['https://a.b', ' '] }, /audience is missing/],
  [{ issuer: undefined }, /issuer must be a URL with HTTPS/],
  [{ issuer: 'http://auth.example.com' }, /issuer must be a URL with HTTPS/],
  [{ issuer: 'https://user:password@auth.example.com' }, /issuer must be/],
  [{ issuer: 'https://auth.example.com?a=b' }, /issuer must be/],
  [{ issuer: 'http://localhost.example.com' }, /issuer must be/],
  [{ issuer: 'file:///etc/passwd' }, /issuer must be/],
  [{ jwks: 'http://auth.example.com/jwks' }, /jwks must be a URL with HTTPS, or a set of keys/],
  [{ jwks: { keys: [] } }, /jwks must have a list of keys/],
  [{ jwks: { keys: [privateKey.export({ format: 'jwk' })] } }, /jwks must have public keys only/],
  [{ jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }, /jwks must have public keys only/],
  [{ algorithms: ['none'] }, /algorithms must be a list of some of RS256/],
  [{ algorithms: ['RS256', 'HS256'] }, /algorithms must be/],
  [{ algorithms: [] }, /algorithms must be/],
  [{ clockSkew: 3600 }, /clockSkew must be a number of seconds up to 300/],
  [{ clockSkew: -1 }, /clockSkew must be/],
  [{ clockSkew: '5' }, /clockSkew must be/],
  [{ scopes: ['read'] }, /scopes must be a function of the claims/],
  [{ secretClaims: 'email' }, /secretClaims must be a list of names/],
  [{ name: 'anonymous' }, /name must be a string, and none of anonymous, key, local, user/],
  [{ audiences: 'x' }, /unknown option "audiences" \(did you mean "audience"\?\)/],
])(proves('access.mistakes', 'jwt: %o'), (change, message) => {
  expect(() => jwt({ ...right, ...change } as never)).toThrow(message);
});

it.each([
  [{ audience: undefined }, /^introspection: audience is missing/],
  [{ url: 'http://auth.example.com/introspect' }, /url must be a URL with HTTPS/],
  [{ clientId: '' }, /clientId is missing/],
  [{ clientSecret: undefined }, /clientSecret is missing/],
  [{ cacheSeconds: 86_400 }, /cacheSeconds must be a number of seconds up to 3600/],
  [{ secret: 'canary' }, /unknown option "secret"/],
])('introspection: %o', (change, message) => {
  const options = { url: 'https://a.b/c', clientId: 'a', clientSecret: 'canary', audience: 'x', ...change };
  expect(() => introspection(options as never)).toThrow(message);
  expect(() => introspection(options as never)).not.toThrow(/canary/);
});

it('a custom authenticator needs a name of its own, and a function', () => {
  expect(() => custom('', () => undefined)).toThrow(/name of an authenticator/);
  expect(() => custom('anonymous', () => undefined)).toThrow(/none of anonymous, key, local, user/);
  expect(() => custom('session', undefined as never)).toThrow(/must be a function/);
});

it('two authenticators must not share a name, because two people could then be one', () => {
  const appWith = (...authenticators: Authenticator[]) =>
    createApp({ name: 'A', version: '1', functions: [], access: { authenticators } });
  expect(() => appWith(jwt(right), jwt({ ...right, issuer: 'https://b.example.com' }))).toThrow(
    /two authenticators are named "jwt"/,
  );
  appWith(jwt(right), jwt({ ...right, issuer: 'https://b.example.com', name: 'customers' }));
  // The ids in both come from the author.
  appWith(apiKeys({ keys: {} }), apiKeys({ keys: {} }));
});

it(proves('access.peers', 'a package that is missing is named in the log, and nobody gets in'), async () => {
  // Where everywire is installed, and nothing else.
  const folder = temporaryFolder('peers');
  const installed = join(folder, 'node_modules/everywire');
  mkdirSync(installed, { recursive: true });
  cpSync('dist', join(installed, 'dist'), { recursive: true });
  cpSync('package.json', join(installed, 'package.json'));
  const program = `
    import { createApp, defineFunction } from 'everywire';
    import { Credentials, introspection, jwt } from 'everywire/access';
    const hello = defineFunction({ name: 'Hello', description: 'Hello', run: () => undefined });
    const access = { authenticators: [
      jwt({ issuer: 'https://a.b', audience: 'x' }),
      introspection({ url: 'https://a.b', clientId: 'a', clientSecret: 'b', audience: 'x' }),
    ] };
    const app = createApp({ name: 'A', version: '1', functions: [hello], access });
    for (const bearer of ['a.b.c', 'opaque']) {
      const { outcome } = await app.respond({ name: 'Hello', fn: app.find('Hello'), caller: { wire: 'test' }, credentials: new Credentials({ bearer }) });
      console.log(outcome.error.code);
    }`;
  writeFileSync(join(folder, 'program.mjs'), program);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['program.mjs'], { cwd: folder });
  expect(stdout).toBe('UNAVAILABLE\nUNAVAILABLE\n');
  expect(stderr).toMatch(/jwt needs a package: npm install jose/);
  expect(stderr).toMatch(/introspection needs a package: npm install oauth4webapi/);
});

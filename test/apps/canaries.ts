import { auditConsole, createApp } from 'everywire';
import { apiKeys, introspection, jwt } from 'everywire/access';
import { AUDIENCE } from '../access/issuer.ts';
import { fn, record } from '../kit/functions.ts';

// What test/access/canary-wires.test.ts plants in it must not be seen again. It says all that it knows.

const setting = (name: string): string => process.env[name]!;

const tell = fn('Tell', { input: record, output: record, scopes: [] }, (_, { principal, caller, log }) => {
  log.info('called', { principal, caller });
  return { principal, caller };
});

const fail = fn('Fail', { scopes: [] }, (_, { principal, caller }) => {
  throw new Error(JSON.stringify({ principal, caller }));
});

export const options = () => ({
  name: 'Canaries',
  version: '1.0.0',
  functions: [tell, fail],
  audit: { to: auditConsole(), arguments: true },
  errors: 'shown' as const,
  access: {
    url: AUDIENCE,
    servers: [setting('CANARY_ISSUER')],
    headers: ['X-Tenant'],
    authenticators: [
      apiKeys({ keys: { [setting('CANARY_KEY')]: { id: 'key' } } }),
      jwt({ issuer: setting('CANARY_ISSUER'), audience: AUDIENCE, secretClaims: ['secret'] }),
      introspection({
        url: setting('CANARY_ENDPOINT'),
        clientId: 'client',
        clientSecret: setting('CANARY_SECRET'),
        audience: AUDIENCE,
        secretClaims: ['jti'],
      }),
    ],
  },
});

export default createApp(options());

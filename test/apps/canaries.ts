import { auditConsole, createApp, defineFunction } from 'everywire';
import { apiKeys, introspection, jwt } from 'everywire/access';
import { AUDIENCE } from '../access/issuer.ts';

// What test/access/secrets.ts plants in it must not be seen again. It says all that it knows.

const setting = (name: string): string => process.env[name]!;

const tell = defineFunction({
  name: 'Tell',
  description: 'Logs and returns all that it knows about its caller',
  input: { type: 'object', properties: {}, additionalProperties: true },
  output: { type: 'object', additionalProperties: true, description: 'All' },
  scopes: [],
  run: (_, { principal, caller, log }) => {
    log.info('called', { principal, caller });
    return { principal, caller } as unknown as Record<string, unknown>;
  },
});

const fail = defineFunction({
  name: 'Fail',
  description: 'Throws all that it knows about its caller',
  scopes: [],
  run: (_, { principal, caller }) => {
    throw new Error(JSON.stringify({ principal, caller }));
  },
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

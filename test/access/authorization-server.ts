import type { RequestListener } from 'node:http';
import { Provider } from 'oidc-provider';
import { createKey, startServer, type Server } from './issuer.ts';

export const CLIENT = { id: 'job', secret: 'secret-of-the-client' };
export const RESOURCE_SERVER = { id: 'api', secret: 'secret-of-the-api:%&+=' };

export interface AuthorizationServer extends Server {
  /** Gets a token for a client, as programs do (RFC 6749, section 4.4). */
  token(resource: string, scope?: string): Promise<string>;
  revoke(token: string): Promise<void>;
}

/** A real authorization server. Its tokens are JWT, or opaque if the resource has that in its name. */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  let listener: RequestListener | undefined;
  const server = await startServer((request, response) => listener?.(request, response));
  const ec = createKey('provider');
  const provider = new Provider(server.url, {
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clients: [CLIENT, RESOURCE_SERVER].map(({ id, secret }) => ({
      client_id: id,
      client_secret: secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    })),
    scopes: ['read', 'write'],
    jwks: { keys: [{ ...ec.privateKey.export({ format: 'jwk' }), kid: 'provider', alg: 'ES256', use: 'sig' }] },
    ttl: { ClientCredentials: 300 },
    clientAuthMethods: ['client_secret_basic'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true, allowedPolicy: () => true },
      introspection: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: 'read write',
          accessTokenTTL: 300,
          accessTokenFormat: resource.includes('opaque') ? 'opaque' : 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  listener = provider.callback();
  const post = async (path: string, form: Record<string, string>) => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}` },
      body: new URLSearchParams(form),
    });
    if (!response.ok) throw new Error(await response.text());
    return response;
  };
  return {
    ...server,
    async token(resource, scope = 'read') {
      const response = await post('/token', { grant_type: 'client_credentials', resource, scope });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    revoke: async (token) => void (await post('/token/revocation', { token })),
  };
}

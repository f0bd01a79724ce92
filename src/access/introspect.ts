import { importOauth } from '#optional';
import { fetchBounded, timeout } from './fetch-bounded.ts';
import type { IntrospectionOptions } from './introspection-options.ts';
import type { Claims } from './token-options.ts';

/** Asks the authorization server about a token. Throws if there is no usable answer. */
export async function introspect(token: string, options: IntrospectionOptions): Promise<Claims> {
  const oauth = await importOauth().catch(() => {
    throw new Error('introspection needs a package: npm install oauth4webapi');
  });
  return request(token, options, oauth).catch((error: Error) => {
    // Without the error itself, which has the answer in it.
    throw new Error(`${options.url} does not say whether a token is valid: ${error.message}`);
  });
}

async function request(
  token: string,
  { url, clientId, clientSecret }: IntrospectionOptions,
  oauth: typeof import('oauth4webapi'),
): Promise<Claims> {
  const server = { issuer: new URL(url).origin, introspection_endpoint: url };
  const client = { client_id: clientId };
  const response = await oauth.introspectionRequest(server, client, oauth.ClientSecretBasic(clientSecret), token, {
    additionalParameters: { token_type_hint: 'access_token' },
    signal: timeout(),
    [oauth.customFetch]: fetchBounded,
    // HTTP only on this machine: the options have been checked.
    [oauth.allowInsecureRequests]: true,
  });
  return { ...(await oauth.processIntrospectionResponse(server, client, response)) };
}

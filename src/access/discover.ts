import { fetchJson } from './fetch-bounded.ts';
import { isSafeUrl, spellings } from './token-options.ts';

/** Where an issuer publishes its keys: OpenID Connect Discovery, or RFC 8414. */
export async function discoverJwks(issuer: string, signal: AbortSignal): Promise<string> {
  const failures: string[] = [];
  for (const url of wellKnown(issuer)) {
    try {
      const metadata = await fetchJson(url, signal);
      // Otherwise one issuer could publish the keys of another (RFC 8414, section 3.3).
      if (!spellings(issuer).includes(String(metadata['issuer'])))
        throw new Error(`${url} is about another issuer than ${issuer}`);
      const { jwks_uri: jwks } = metadata as { jwks_uri?: unknown };
      if (!isSafeUrl(jwks)) throw new Error(`${url} has no jwks_uri with HTTPS`);
      return jwks;
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  throw new Error(failures.join('; '));
}

function wellKnown(issuer: string): readonly string[] {
  const base = issuer.replace(/\/$/, '');
  const { origin, pathname } = new URL(base);
  const path = pathname === '/' ? '' : pathname;
  return [`${base}/.well-known/openid-configuration`, `${origin}/.well-known/oauth-authorization-server${path}`];
}

import type { Known } from '../core/unknown-options.ts';
import { checkTokenOptions, isName, isSafeUrl, isSeconds } from './token-options.ts';
import type { TokenOptions } from './token-options.ts';

export interface IntrospectionOptions extends TokenOptions {
  /** The introspection endpoint of the authorization server. */
  readonly url: string;
  /** How this app identifies itself there. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** For how many seconds an answer is kept; 30 by default, at most 3600. So long a revoked token is still accepted. */
  readonly cacheSeconds?: number;
}

const OPTIONS = {
  url: true,
  clientId: true,
  clientSecret: true,
  audience: true,
  cacheSeconds: true,
  scopes: true,
  secretClaims: true,
  name: true,
} satisfies Known<IntrospectionOptions>;

export function checkIntrospectionOptions(options: IntrospectionOptions): void {
  const { url, clientId, clientSecret, cacheSeconds = 0 } = options;
  checkTokenOptions('introspection', options, OPTIONS, [
    !isSafeUrl(url) && 'url must be a URL with HTTPS, such as https://auth.example.com/introspect',
    !isName(clientId) && 'clientId is missing',
    !isName(clientSecret) && 'clientSecret is missing',
    !isSeconds(cacheSeconds, 3600) && 'cacheSeconds must be a number of seconds up to 3600',
  ]);
}

import type { Known } from '../core/unknown-options.ts';
import { isRecord } from '../schema/json-schema.ts';
import { checkTokenOptions, isSafeUrl, isSeconds } from './token-options.ts';
import type { TokenOptions } from './token-options.ts';

/** Public keys (RFC 7517). */
export interface KeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

export interface JwtOptions extends TokenOptions {
  /** Who issues the tokens: the `iss` in them, and where its metadata is found. */
  readonly issuer: string;
  /** Where its keys are, if its metadata does not say so; or the keys themselves, which are then never fetched. */
  readonly jwks?: string | KeySet;
  /** Algorithms of signatures that are accepted; RS256, PS256, ES256 and EdDSA by default. */
  readonly algorithms?: readonly string[];
  /** By how many seconds clocks may differ; 30 by default, at most 300. */
  readonly clockSkew?: number;
}

const OPTIONS = {
  issuer: true,
  audience: true,
  jwks: true,
  algorithms: true,
  clockSkew: true,
  scopes: true,
  secretClaims: true,
  name: true,
} satisfies Known<JwtOptions>;

export const DEFAULT_ALGORITHMS: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];

/** Only with a public key: a server that verifies HS256 can also sign. */
const ALGORITHMS = new Set([...DEFAULT_ALGORITHMS, 'RS384', 'RS512', 'PS384', 'PS512', 'ES384', 'ES512']);

export function checkJwtOptions(options: JwtOptions): void {
  const { issuer, jwks, algorithms = DEFAULT_ALGORITHMS, clockSkew = 0 } = options;
  const isKnown = Array.isArray(algorithms) && algorithms.length > 0 && algorithms.every((one) => ALGORITHMS.has(one));
  checkTokenOptions('jwt', options, OPTIONS, [
    !(isSafeUrl(issuer) && new URL(issuer).search === '') &&
      'issuer must be a URL with HTTPS, such as https://auth.example.com',
    !(jwks === undefined || isSafeUrl(jwks) || isRecord(jwks)) && 'jwks must be a URL with HTTPS, or a set of keys',
    isRecord(jwks) && problemInKeys(jwks),
    !isKnown && `algorithms must be a list of some of ${[...ALGORITHMS].join(', ')}`,
    !isSeconds(clockSkew, 300) && 'clockSkew must be a number of seconds up to 300',
  ]);
}

function problemInKeys({ keys }: Readonly<Record<string, unknown>>): string | false {
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isRecord)) return 'jwks must have a list of keys';
  const isSecret = keys.some((key) => key['d'] !== undefined || key['k'] !== undefined || key['kty'] === 'oct');
  return isSecret && 'jwks must have public keys only';
}

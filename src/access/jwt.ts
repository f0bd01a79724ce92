import type { JSONWebKeySet, JWTHeaderParameters, JWTVerifyGetKey } from 'jose';
import type { Principal } from '../core/principal.ts';
import type { Authenticator, Verdict } from './authenticator.ts';
import { isRejected } from './authenticator.ts';
import { fromClaims } from './from-claims.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { checkJwtOptions, DEFAULT_ALGORITHMS } from './jwt-options.ts';
import type { JwtOptions } from './jwt-options.ts';
import { loadJose } from './load-jose.ts';
import type { Jose } from './load-jose.ts';
import { rejectionOf } from './rejection.ts';
import { CLOCK_SKEW, spellings } from './token-options.ts';
import { Verified } from '../core/verified.ts';

/** Verified tokens are kept so long at most, in milliseconds: then the key must still be one of the issuer. */
const KEPT = 5 * 60_000;

/** Longer than any header that a wire accepts. */
const MOST_CHARACTERS = 16_384;

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** RFC 9068 has `at+jwt`, many issuers have `JWT` or nothing. Other types are for other purposes. */
const TYPES = new Set(['jwt', 'at+jwt', 'application/at+jwt']);

/** Bearer tokens that an issuer has signed (RFC 7519). Needs the package `jose`. */
export function jwt(options: JwtOptions): Authenticator {
  checkJwtOptions(options);
  const { name = 'jwt', clockSkew = CLOCK_SKEW } = options;
  const issuers = spellings(options.issuer);
  const expected = {
    issuer: [...issuers],
    audience: [options.audience].flat().flatMap(spellings),
    algorithms: [...(options.algorithms ?? DEFAULT_ALGORITHMS)],
    clockTolerance: clockSkew,
    requiredClaims: ['exp'],
  };
  const verified = new Verified<Principal>();
  let findKey: JWTVerifyGetKey | undefined;

  return {
    name,
    scheme: 'bearer',
    authenticate({ bearer }, reportError) {
      if (bearer === undefined || bearer.length > MOST_CHARACTERS) return undefined;
      return verified.get(bearer) ?? (JWT.test(bearer) ? verify(bearer, reportError) : undefined);
    },
  };

  async function verify(token: string, reportError: (thrown: unknown) => void): Promise<Verdict> {
    const jose = await loadJose();
    if (!issuers.includes(String(claimedIssuer(token, jose)))) return undefined;
    findKey ??= createFindKey(jose, reportError);
    try {
      const { payload, protectedHeader } = await jose.jwtVerify(token, findKey, expected);
      if (!isAccessToken(protectedHeader)) return { rejected: 'the token is of another type' };
      const verdict = fromClaims(payload, name, options);
      if (isRejected(verdict)) return verdict;
      const expires = (payload.exp! + clockSkew) * 1000;
      verified.keep(token, verdict, Math.min(expires, Date.now() + KEPT));
      return verdict;
    } catch (error) {
      return rejectionOf(error, jose);
    }
  }

  function createFindKey(jose: Jose, reportError: (thrown: unknown) => void): JWTVerifyGetKey {
    const { issuer, jwks } = options;
    if (typeof jwks === 'object') return jose.createLocalJWKSet(jwks as unknown as JSONWebKeySet);
    const keys = new IssuerKeys(issuer, jwks, jose, reportError);
    return (header) => keys.find(header);
  }
}

/** What the token says, before anything is verified: it decides only whether it is for this authenticator. */
function claimedIssuer(token: string, { decodeJwt }: Jose): unknown {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function isAccessToken({ typ }: JWTHeaderParameters): boolean {
  return typ === undefined || (typeof typ === 'string' && TYPES.has(typ.toLowerCase()));
}

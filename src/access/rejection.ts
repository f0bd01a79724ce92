import type { Rejected } from './authenticator.ts';
import type { Jose } from './load-jose.ts';

/** In words of our own: a caller may read them, and messages of other libraries could quote the token. */
const REASONS: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'the token has expired',
  ERR_JOSE_ALG_NOT_ALLOWED: 'the token is signed with an algorithm that is not allowed',
  ERR_JWKS_NO_MATCHING_KEY: 'the token is signed with an unknown key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'the token does not say with which key it is signed',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature of the token is wrong',
};

const CLAIMS: Readonly<Record<string, string>> = {
  aud: 'the token is for another audience',
  nbf: 'the token is not valid yet',
  exp: 'the token does not say when it expires',
  iss: 'the token is from another issuer',
};

/** Why jose refuses a token. Throws what is not the fault of the token. */
export function rejectionOf(error: unknown, { errors }: Jose): Rejected {
  if (!(error instanceof errors.JOSEError)) throw error;
  const reason = error instanceof errors.JWTClaimValidationFailed ? CLAIMS[error.claim] : REASONS[error.code];
  return { rejected: reason ?? 'the token is malformed' };
}

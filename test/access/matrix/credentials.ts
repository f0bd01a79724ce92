import { base64, createKey, seconds, signToken, signWithSecret } from '../issuer.ts';
import { API_KEY, AUDIENCE, ISSUER } from './names.ts';

export interface Presented {
  readonly title: string;
  /** A bearer token; a credential that is malformed; or nothing. */
  readonly token?: string;
  readonly isMalformed?: true;
  /** Who it is, for those ways in that take no credential. */
  readonly scopes?: readonly string[];
  /** Of the refusal; without one, the call is allowed. */
  readonly code?: 'UNAUTHENTICATED' | 'FORBIDDEN' | 'BAD_REQUEST';
}

const ec = createKey('ec');
const rsa = createKey('rsa', 'RS256');

/** What the app needs in its environment: the public keys of the issuer. */
export const environment = { GUARDED_JWKS: JSON.stringify({ keys: [ec.jwk, rsa.jwk] }) };

/** Each of these alone is what is wrong with the credential. */
export function credentials(): readonly Presented[] {
  const now = seconds();
  const right = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', iat: now, exp: now + 3600, scope: 'write' };
  const token = (claims: object = {}) => signToken(ec, { ...right, ...claims });
  const pem = String(rsa.publicKey.export({ type: 'spki', format: 'pem' }));
  const code = 'UNAUTHENTICATED';
  return [
    { title: 'none', code },
    { title: 'malformed', token: 'two words', isMalformed: true, code: 'BAD_REQUEST' },
    { title: 'an API key that nobody has', token: 'unknown-key', code },
    { title: 'a token signed with another key', token: signToken(createKey(ec.kid), right), code },
    { title: 'expired', token: token({ exp: now - 60 }), code },
    { title: 'not yet valid', token: token({ nbf: now + 600 }), code },
    { title: 'for another audience', token: token({ aud: 'https://other.example.com' }), code },
    { title: 'of another issuer', token: token({ iss: 'https://evil.example.com' }), code },
    { title: 'not signed (`alg: none`)', token: `${base64({ alg: 'none', typ: 'JWT' })}.${base64(right)}.`, code },
    {
      title: 'signed with the public key as a secret (HS256)',
      token: signWithSecret(pem, right, { alg: 'HS256', typ: 'JWT', kid: rsa.kid }),
      code,
    },
    { title: 'signed with an unknown key (`kid`)', token: signToken(createKey('unknown'), right), code },
    { title: 'right, without the scope', token: token({ scope: 'read' }), scopes: ['read'], code: 'FORBIDDEN' },
    { title: 'right, with a scope that implies it', token: token({ scope: 'admin' }), scopes: ['admin'] },
    { title: 'right', token: token(), scopes: ['write'] },
    { title: 'a right API key', token: API_KEY, scopes: ['write'] },
  ];
}

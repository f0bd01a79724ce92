import { isScopeList, toPrincipal } from '../core/principal.ts';
import type { Principal } from '../core/principal.ts';
import type { Rejected } from './authenticator.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Claims, TokenOptions } from './token-options.ts';

/** The principal of a token that is genuine, valid, and for this app. */
export function fromClaims(
  claims: Claims,
  kind: string,
  { scopes = scopesOf, secretClaims = [] }: TokenOptions,
): Principal | Rejected {
  const { sub, client_id: client } = claims;
  const id = sub ?? client;
  if (typeof id !== 'string' || id === '') return { rejected: 'the token does not say whose it is' };
  // Bound to a key or a certificate (RFC 7800): a client that sends it as a bearer token may have stolen it.
  if (claims['cnf'] !== undefined) return { rejected: 'the token is no bearer token' };
  const shown = Object.entries(claims).filter(([name]) => !secretClaims.includes(name));
  // A client that acts for itself may have the name of a user (RFC 9068, section 5).
  const ownKind = id === client ? `${kind}-client` : kind;
  return toPrincipal({ id, scopes: scopes(claims), claims: deepFreeze(Object.fromEntries(shown)) }, ownKind);
}

/** RFC 8693 has `scope` with spaces; others have a list, or call it `scp`. */
function scopesOf({ scope, scp }: Claims): readonly string[] {
  const given = scope ?? scp;
  const list: readonly unknown[] = typeof given === 'string' ? given.split(' ') : Array.isArray(given) ? given : [];
  // Every scope, `*`, is a word of this app and not of an authorization server, where anybody may ask for any word.
  return list.filter((one): one is string => isScopeList([one]) && one !== '*');
}

import type { Principal } from '../core/principal.ts';
import { isRejected } from './authenticator.ts';
import type { Authenticator, Rejected } from './authenticator.ts';
import { fromClaims } from './from-claims.ts';
import { checkIntrospectionOptions } from './introspection-options.ts';
import type { IntrospectionOptions } from './introspection-options.ts';
import { introspect } from './introspect.ts';
import { CLOCK_SKEW, spellings } from './token-options.ts';
import type { Claims } from './token-options.ts';
import { Verified } from '../core/verified.ts';

/** A rejected token is not asked for again for this time, in milliseconds: some clients retry without a pause. */
const REJECTED = 10_000;

/** A client that sends many invented tokens must not make this app attack the authorization server. */
const MOST_REQUESTS = 100;

const MOST_CHARACTERS = 16_384;

/**
 * Bearer tokens that only the authorization server can read (RFC 7662). Recognises every token, so it comes last. Needs the
 * package `oauth4webapi`.
 */
export function introspection(options: IntrospectionOptions): Authenticator {
  checkIntrospectionOptions(options);
  const { name = 'token', cacheSeconds = 30 } = options;
  const audiences = new Set([options.audience].flat().flatMap(spellings));
  const accepted = new Verified<Principal>();
  const rejected = new Verified<Rejected>();
  const asking = new Map<string, Promise<Principal | Rejected>>();

  return {
    name,
    scheme: 'bearer',
    authenticate({ bearer }) {
      if (bearer === undefined || bearer === '' || bearer.length > MOST_CHARACTERS) return undefined;
      return accepted.get(bearer) ?? rejected.get(bearer) ?? ask(bearer);
    },
  };

  /** Calls with the same token wait for the same answer. */
  function ask(token: string): Promise<Principal | Rejected> {
    let answer = asking.get(token);
    if (answer) return answer;
    if (asking.size >= MOST_REQUESTS) throw new Error(`${MOST_REQUESTS} tokens are being checked by ${options.url}`);
    answer = verify(token).finally(() => asking.delete(token));
    asking.set(token, answer);
    return answer;
  }

  async function verify(token: string): Promise<Principal | Rejected> {
    const claims = await introspect(token, options);
    const now = Date.now();
    const verdict = judge(claims, now / 1000);
    if (isRejected(verdict)) rejected.keep(token, verdict, now + REJECTED);
    else accepted.keep(token, verdict, Math.min(now + cacheSeconds * 1000, expiryOf(claims) * 1000));
    return verdict;
  }

  /** `active` means valid at the authorization server, not for this app. */
  function judge({ active, ...claims }: Claims, now: number): Principal | Rejected {
    if (active !== true) return { rejected: 'the token is not active' };
    const { aud, token_type: type, nbf } = claims;
    if (![aud].flat().some((one) => typeof one === 'string' && audiences.has(one)))
      return { rejected: 'the token is for another audience' };
    if (expiryOf(claims) + CLOCK_SKEW <= now) return { rejected: 'the token has expired' };
    if (typeof nbf === 'number' && nbf - CLOCK_SKEW > now) return { rejected: 'the token is not valid yet' };
    // Also not a refresh token, about which some servers answer as well.
    if (type !== undefined && !(typeof type === 'string' && type.toLowerCase() === 'bearer'))
      return { rejected: 'the token is no bearer token' };
    return fromClaims(claims, name, options);
  }
}

/** In seconds since 1970. RFC 7662 does not require it: the server has said that the token is valid now. */
const expiryOf = ({ exp }: Claims): number => (typeof exp === 'number' ? exp : Infinity);

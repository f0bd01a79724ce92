import type { Access, Scoped, Scopes } from '../core/access.ts';
import type { Call } from '../core/call.ts';
import type { AskOuter, Credentials } from '../core/credentials.ts';
import { isFailure, refuse, userFailure } from '../core/failure.ts';
import { functionNotFound, promptNotFound, resourceNotFound } from '../core/not-found.ts';
import type { Failed } from '../core/outcome.ts';
import { ANONYMOUS, isAnonymous, isScopeList, toPrincipal } from '../core/principal.ts';
import type { Principal, PrincipalOptions } from '../core/principal.ts';
import type { Kind } from '../core/registered-function.ts';
import type { Report } from '../core/report.ts';
import { handleRejection } from '../core/safely.ts';
import type { AccessOptions } from './access-options.ts';
import { isRejected } from './authenticator.ts';
import type { Verdict } from './authenticator.ts';
import { inTime } from './in-time.ts';
import { ScopeRules } from './scopes.ts';

type Identified = Principal | Failed;

/** The access rules of an app. Whatever throws, the call is refused. */
export function createAccess(options: AccessOptions, report: Report): Access {
  const { authenticators = [], policy, hide = false, scopes: byDefault = [] } = options;
  const rules = new ScopeRules(options.implies ?? {});
  const local = options.local && toPrincipal(options.local, 'local');
  const reportError = (thrown: unknown) => void report.thrown(thrown, { part: 'access' });

  return {
    admit(call, fn) {
      const identified = identify(call);
      return identified instanceof Promise
        ? identified.then((late) => admitted(late, call, fn))
        : admitted(identified, call, fn);
    },
    refuseUnknown(call) {
      const identified = identify(call);
      return identified instanceof Promise ? identified.then((late) => unknown(late, call)) : unknown(identified, call);
    },
    dependsOnInput: (fn) => policy !== undefined || typeof fn.definition.scopes === 'function',
    async approve(fn, input, { parts: { call, principal = ANONYMOUS } }) {
      const { caller } = call;
      const { scopes } = fn.definition;
      if (typeof scopes === 'function') {
        const refused = check(principal, readScopes(handleRejection(scopes(input))));
        if (refused) return refused;
      }
      const allowed = policy ? await policy({ principal, function: fn, input, caller }) : true;
      if (isFailure(allowed)) return userFailure(allowed, fn.definition.errors);
      return allowed === true || allowed === undefined ? undefined : refuse('FORBIDDEN', 'Not allowed');
    },
    scopesOf,
    shows: (principal, fn) => !hide || isShown(principal, fn),
    allows: (principal, fn, input) => check(principal, scopesOf(fn, input)) === undefined,
    hides: hide,
    identify,
  };

  function identify({
    principal,
    outer,
    credentials,
    caller,
  }: Pick<Call, 'principal' | 'outer' | 'credentials' | 'caller'>): Identified | Promise<Identified> {
    const known = principal ?? outer?.parts.principal;
    if (known) return known;
    if (!credentials) return caller.isLocal && local ? local : ANONYMOUS;
    try {
      const found = credentials.outer ? byOuter(credentials.outer, credentials) : byCredentials(credentials);
      return found instanceof Promise ? inTime(found).catch(unavailable) : found;
    } catch (thrown) {
      return unavailable(thrown);
    }
  }

  /** What the server around the app knows comes first. */
  function byOuter(askOuter: AskOuter, credentials: Credentials): Identified | Promise<Identified> {
    const accept = (found: PrincipalOptions | undefined) =>
      found ? toPrincipal(found, 'server') : byCredentials(credentials);
    const found = askOuter();
    return found instanceof Promise ? found.then(accept) : accept(found);
  }

  function byCredentials(credentials: Credentials): Identified | Promise<Identified> {
    const { malformed, otherScheme, user, bearer, apiKey } = credentials;
    if (malformed) return MALFORMED();
    if (user) return byUser(user);
    // RFC 6750, section 3.1: no error code, since the client has not tried a token.
    if (otherScheme) return refuse('UNAUTHENTICATED', 'Send the credential as "Authorization: Bearer <token>"');
    return bearer === undefined && apiKey === undefined ? ANONYMOUS : ask(0, credentials);
  }

  function byUser({ name, type }: NonNullable<Credentials['user']>): Identified {
    const found = handleRejection(options.user?.(name, type));
    return found ? toPrincipal(found, 'user') : invalid('the user is unknown');
  }

  function ask(index: number, credentials: Credentials): Identified | Promise<Identified> {
    const authenticator = authenticators[index];
    if (!authenticator) return invalid('nobody recognises it');
    const verdict = authenticator.authenticate(credentials, reportError);
    return verdict instanceof Promise
      ? verdict.then((late) => decide(late, index, credentials))
      : decide(verdict, index, credentials);
  }

  function decide(verdict: Verdict, index: number, credentials: Credentials): Identified | Promise<Identified> {
    if (verdict === undefined) return ask(index + 1, credentials);
    // Throws if it is no principal: an authenticator that returns something else must not let anybody in.
    return isRejected(verdict) ? invalid(verdict.rejected) : toPrincipal(verdict, authenticators[index]!.name);
  }

  /** Nothing can be said about the credential: nobody gets in, and nobody is called a stranger. */
  function unavailable(thrown: unknown): Failed {
    reportError(thrown);
    return refuse('UNAVAILABLE', 'Credentials cannot be checked at the moment', { retryAfter: 5 });
  }

  function admitted(identified: Identified, call: Call, fn: Scoped): Identified {
    if ('ok' in identified) return identified;
    if (call.trace) call.trace.principal = identified;
    if (hide && !isShown(identified, fn)) return notFound(fn.kind, call.name);
    return check(identified, fixedScopes(fn)) ?? identified;
  }

  function isShown(principal: Principal, fn: Scoped): boolean {
    return check(principal, fixedScopes(fn)) === undefined;
  }

  function scopesOf(fn: Scoped, input?: unknown): Scopes {
    const { scopes } = fn.definition;
    return typeof scopes === 'function' && input !== undefined
      ? readScopes(handleRejection(scopes(input)))
      : fixedScopes(fn);
  }

  /**
   * Those that depend on the arguments come later; until then, the caller must be known. Operations have the scopes of what they
   * are about, which may be public.
   */
  function fixedScopes({ kind, definition: { scopes = byDefault } }: Scoped): Scopes {
    if (typeof scopes !== 'function') return scopes;
    return kind === 'completion' || kind === 'subscription' ? 'public' : [];
  }

  function check(principal: Principal, required: Scopes): Failed | undefined {
    if (required === 'public') return undefined;
    if (isAnonymous(principal))
      return refuse('UNAUTHENTICATED', 'Authentication is required', { details: { scopes: required } });
    const missing = rules.missing(principal, required);
    if (missing.length === 0) return undefined;
    const names = missing.length === 1 ? `the scope ${missing[0]}` : `the scopes ${missing.join(', ')}`;
    return refuse('FORBIDDEN', `This needs ${names}`, { details: { scopes: missing, required } });
  }
}

function unknown(identified: Identified, call: Call): Failed {
  if ('ok' in identified) return identified;
  if (call.trace) call.trace.principal = identified;
  return functionNotFound(call.name);
}

/** As of what does not exist. */
function notFound(kind: Kind, name: string): Failed {
  if (kind === 'prompt') return promptNotFound(name);
  return kind === 'resource' ? resourceNotFound(name) : functionNotFound(name);
}

/** RFC 6750, section 3.1. */
const MALFORMED = () =>
  refuse('BAD_REQUEST', 'The credentials are malformed, or there is more than one', {
    details: { error: 'invalid_request' },
  });

function invalid(reason: string): Failed {
  return refuse('UNAUTHENTICATED', `Invalid credentials: ${reason}`, { details: { error: 'invalid_token' } });
}

/** What the author's function returned. A mistake there must not open anything. */
function readScopes(scopes: unknown): Scopes {
  if (scopes === 'public' || isScopeList(scopes)) return scopes;
  throw new TypeError('scopes must return a list of strings without spaces, or "public"');
}

/** Who makes a call. Contains nothing secret: neither the token nor the key. */
export interface Principal {
  readonly id: string;
  /** How the caller was recognised: `key`, `jwt`, `token`, `user`, `local`, `anonymous`, or the name of an authenticator. */
  readonly kind: string;
  /** What the caller may do; `*` is everything. */
  readonly scopes: readonly string[];
  /** What else is known about the caller, such as the claims of a token. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A principal as an author writes it. */
export type PrincipalOptions = Pick<Principal, 'id'> & Partial<Principal>;

/** A principal that `toPrincipal` has checked. The private field tells it from what only looks like one. */
class CheckedPrincipal implements Principal {
  readonly #isChecked = true;
  readonly id: string;
  readonly kind: string;
  readonly scopes: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;

  constructor({ id, kind, scopes, claims }: Principal) {
    this.id = id;
    this.kind = kind;
    this.scopes = Object.freeze([...scopes]);
    this.claims = Object.freeze({ ...claims });
    Object.freeze(this);
  }

  static is(given: unknown): given is CheckedPrincipal {
    return typeof given === 'object' && given !== null && #isChecked in given && given.#isChecked;
  }
}

/** A caller without credentials. */
export const ANONYMOUS: Principal = toPrincipal({ id: 'anonymous' }, 'anonymous');

/** Also for one that another copy of this package created. */
export const isAnonymous = ({ kind }: Principal): boolean => kind === ANONYMOUS.kind;

/** Identifies a caller who was recognised; empty for everybody else. */
export const ownerOf = (principal: Principal | undefined): string =>
  principal && !isAnonymous(principal) ? JSON.stringify([principal.kind, principal.id]) : '';

/** Throws a TypeError if it is not a principal: a mistake here must not let anybody in. */
export function toPrincipal(given: PrincipalOptions, defaultKind: string): Principal {
  if (CheckedPrincipal.is(given)) return given;
  const { id, kind = defaultKind, scopes = [], claims = {} } = given;
  if (typeof id !== 'string' || id === '') throw new TypeError('The id of a principal must be a string');
  if (typeof kind !== 'string') throw new TypeError('The kind of a principal must be a string');
  if (!isScopeList(scopes)) throw new TypeError('The scopes of a principal must be a list of strings without spaces');
  return new CheckedPrincipal({ id, kind, scopes, claims });
}

/** As RFC 6749, section 3.3, allows them: they are sent in headers, separated by spaces. */
export function isScopeList(scopes: unknown): scopes is readonly string[] {
  return Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string' && SCOPE.test(scope));
}

const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

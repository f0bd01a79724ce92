import { Memo } from '../core/memo.ts';
import { toPrincipal } from '../core/principal.ts';
import type { Principal, PrincipalOptions } from '../core/principal.ts';
import type { Credentials } from '../core/credentials.ts';
import { unknownOptions } from '../core/unknown-options.ts';
import type { Known } from '../core/unknown-options.ts';
import { isRecord } from '../schema/json-schema.ts';
import { deepFreeze } from './deep-freeze.ts';
import { sha256 } from './sha256.ts';
import { Verified } from '../core/verified.ts';

/** Principals by the hash of their key: `sha256:<64 hexadecimal digits>`. */
export interface ApiKeys {
  readonly [hash: string]: PrincipalOptions;
}

interface Entry {
  readonly hash: string;
  readonly principal: Principal;
}

const HASH = /^sha256:([0-9a-f]{64})$/i;
const HASH_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const PRINCIPAL_OPTIONS = { id: true, kind: true, scopes: true, claims: true } satisfies Known<PrincipalOptions>;

/** API keys by their hashes. */
export class KeyRing {
  /** By the first digits of the hash, so that the time of a search does not grow with the number of keys. */
  readonly #entries = new Map<string, Entry[]>();
  /** By credentials: wires return the same object for the same header. */
  readonly #seen = new Memo<Credentials, Principal>();
  /** Tokens for other authenticators come with every call, and are no keys. */
  readonly #unknown = new Verified<true>();

  /** Throws a TypeError that lists every mistake, without anything that could be a key. */
  constructor(keys: unknown) {
    if (!isRecord(keys)) throw new TypeError('keys must be an object with a principal for each hash of a key');
    const problems = Object.entries(keys).flatMap(([name, given]) => this.#add(name, given));
    if (problems.length > 0) throw new TypeError(problems.join('; '));
  }

  /** Of credentials with a key or a token. Undefined if it is unknown. */
  find(credentials: Credentials): Principal | undefined | Promise<Principal | undefined> {
    return this.#seen.get(credentials) ?? this.#look(credentials);
  }

  #look(credentials: Credentials): Principal | undefined | Promise<Principal | undefined> {
    const key = (credentials.apiKey ?? credentials.bearer)!;
    if (this.#unknown.get(key)) return undefined;
    const hash = sha256(key);
    const remember = (known: string) => {
      const principal = this.#findHash(known);
      if (principal) this.#seen.set(credentials, principal);
      else this.#unknown.keep(key, true, Infinity);
      return principal;
    };
    return typeof hash === 'string' ? remember(hash) : hash.then(remember);
  }

  /** Compares the whole hash in constant time. */
  #findHash(hash: string): Principal | undefined {
    return this.#entries.get(startOf(hash))?.find((entry) => isSame(entry.hash, hash))?.principal;
  }

  #add(name: string, given: unknown): string[] {
    const owner = isRecord(given) && typeof given['id'] === 'string' ? JSON.stringify(given['id']) : 'somebody';
    const hash = HASH.exec(name)?.[1]?.toLowerCase();
    // The name is not shown: it may be the key itself.
    if (hash === undefined)
      return [`the key of ${owner} must be "sha256:" and the 64 hexadecimal digits of its hash, never the key itself`];
    if (hash === HASH_OF_NOTHING) return [`the key of ${owner} is empty`];
    if (this.#findHash(hash)) return [`the key of ${owner} is listed twice`];
    if (!isRecord(given)) return ['each key needs a principal: { "id": "…", "scopes": [] }'];
    const unknown = unknownOptions(given, PRINCIPAL_OPTIONS, `the principal ${owner}`);
    if (unknown.length > 0) return unknown;
    try {
      const principal = toPrincipal(given as never, 'key');
      deepFreeze(Object.values(principal.claims));
      const others = this.#entries.get(startOf(hash)) ?? [];
      this.#entries.set(startOf(hash), [...others, { hash, principal }]);
      return [];
    } catch (error) {
      return [`${owner}: ${(error as Error).message}`];
    }
  }
}

const startOf = (hash: string) => hash.slice(0, 16);

/** Looks at every digit, wherever the first difference is. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let i = 0; i < one.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return difference === 0;
}

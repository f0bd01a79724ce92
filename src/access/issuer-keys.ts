import type { JSONWebKeySet, JWTHeaderParameters, LocalJWKSet } from 'jose';
import { discoverJwks } from './discover.ts';
import { fetchJson, timeout } from './fetch-bounded.ts';
import type { Jose } from './load-jose.ts';

const MINUTE = 60_000;
/** After this time, keys are fetched again. */
const FRESH = 10 * MINUTE;
/** So long they are used if that fails: a short failure of the authorization server should not be one of the app. */
const USABLE = 60 * MINUTE;
/** Time between two attempts after a failure: with keys that are still usable, and without. */
const RETRY = { usable: 30_000, none: 1000 };
/** A key that is not known may be new. Callers can name any key, so this is the least time between two such fetches. */
const UNKNOWN_KEY = 10_000;

type FindKey = LocalJWKSet;

/** The keys of an issuer, fetched when they are first needed, cached, and fetched again when they change. */
export class IssuerKeys {
  #keys: FindKey | undefined;
  #fetchedAt = -Infinity;
  #failure: { readonly error: Error; readonly at: number } | undefined;
  #unknownKeyAt = -Infinity;
  #loading: Promise<FindKey> | undefined;

  constructor(
    private readonly issuer: string,
    private readonly url: string | undefined,
    private readonly jose: Jose,
    private readonly reportError: (thrown: unknown) => void,
  ) {}

  async find(header: JWTHeaderParameters): ReturnType<FindKey> {
    const keys = await this.#current();
    return keys(header).catch(async (error: unknown) => {
      if (!(error instanceof this.jose.errors.JWKSNoMatchingKey) || !this.#mayLookAgain(keys)) throw error;
      return (await this.#load())(header);
    });
  }

  async #current(): Promise<FindKey> {
    const age = Date.now() - this.#fetchedAt;
    const keys = age < USABLE ? this.#keys : undefined;
    if (keys && age < FRESH) return keys;
    const { error, at } = this.#failure ?? { at: -Infinity };
    const isTooEarly = Date.now() - at < (keys ? RETRY.usable : RETRY.none);
    if (isTooEarly && keys) return keys;
    if (isTooEarly && error) throw error;
    return this.#load().catch((failure: Error) => {
      if (!keys) throw failure;
      this.reportError(failure);
      return keys;
    });
  }

  #mayLookAgain(looked: FindKey): boolean {
    if (this.#keys !== looked) return true; // They have just been fetched again, for another call.
    const now = Date.now();
    if (now - this.#unknownKeyAt < UNKNOWN_KEY) return false;
    this.#unknownKeyAt = now;
    return true;
  }

  /** Calls that come at the same time wait for the same answer. */
  #load(): Promise<FindKey> {
    this.#loading ??= this.#fetch().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #fetch(): Promise<FindKey> {
    try {
      const signal = timeout();
      const jwks = await fetchJson(this.url ?? (await discoverJwks(this.issuer, signal)), signal);
      this.#keys = this.jose.createLocalJWKSet(jwks as unknown as JSONWebKeySet);
      this.#fetchedAt = Date.now();
      this.#failure = undefined;
      return this.#keys;
    } catch (cause) {
      const error = new Error(`The keys of ${this.issuer} cannot be fetched: ${(cause as Error).message}`, { cause });
      this.#failure = { error, at: Date.now() };
      throw error;
    }
  }
}

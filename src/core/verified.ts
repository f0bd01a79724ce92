/** The most that is kept. */
const MOST = 1000;

/** Enough of a long token to find it: at its end are random characters, or its signature. */
const TAIL = 32;
const LONG = 64;

const keyOf = (token: string) => (token.length > LONG ? token.slice(-TAIL) : token);

interface Kept<T> {
  readonly token: string;
  readonly value: T;
  readonly until: number;
}

/**
 * What was found out about tokens and keys, for a time. In memory only. When it is full, the oldest is dropped, which then
 * has to be verified again. Not by their SHA-256: to compute it takes longer than the rest of what access costs. The time of
 * the comparison says nothing to somebody who does not know the end of a token.
 */
export class Verified<T> {
  readonly #kept = new Map<string, Kept<T>>();
  /** Most calls come with the token of the call before, and comparing it is faster than hashing it. */
  #last: Kept<T> | undefined;

  get(token: string): T | undefined {
    const kept = this.#last?.token === token ? this.#last : this.#find(token);
    if (!kept) return undefined;
    if (kept.until === Infinity || Date.now() < kept.until) return kept.value;
    this.#last = undefined;
    this.#kept.delete(keyOf(token));
    return undefined;
  }

  #find(token: string): Kept<T> | undefined {
    const kept = this.#kept.get(keyOf(token));
    // A short token may be the end of a long one.
    return kept?.token === token ? (this.#last = kept) : undefined;
  }

  /** `until` is in milliseconds since 1970. */
  keep(token: string, value: T, until: number): void {
    const key = keyOf(token);
    this.#last = undefined;
    this.#kept.delete(key);
    this.#kept.set(key, { token, value, until });
    if (this.#kept.size <= MOST) return;
    for (const oldest of this.#kept.keys()) return void this.#kept.delete(oldest);
  }
}

/** The most that is kept. */
const MOST = 1000;

/**
 * What was found out about tokens, for a time. By their SHA-256, so that memory holds no token. When it is full, the oldest
 * is dropped, which then has to be verified again.
 */
export class Verified<T> {
  readonly #kept = new Map<string, { readonly value: T; readonly until: number }>();

  get(hash: string): T | undefined {
    const kept = this.#kept.get(hash);
    if (!kept) return undefined;
    if (Date.now() < kept.until) return kept.value;
    this.#kept.delete(hash);
    return undefined;
  }

  /** `until` is in milliseconds since 1970. */
  keep(hash: string, value: T, until: number): void {
    this.#kept.delete(hash);
    this.#kept.set(hash, { value, until });
    if (this.#kept.size <= MOST) return;
    for (const oldest of this.#kept.keys()) return void this.#kept.delete(oldest);
  }
}

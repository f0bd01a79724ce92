/** Keeps the values that were used last. For keys that may come from a client, of which there is no end. */
export class RecentlyUsed<V> {
  readonly #kept = new Map<string, V>();

  constructor(
    private readonly most: number,
    private readonly onDrop?: (dropped: V) => void,
  ) {}

  get(key: string, create: () => V): V {
    const value = this.#kept.get(key) ?? create();
    // A map keeps the order in which keys were added.
    this.#kept.delete(key);
    this.#kept.set(key, value);
    if (this.#kept.size > this.most) this.#dropOldest();
    return value;
  }

  #dropOldest(): void {
    for (const [key, value] of this.#kept) {
      this.#kept.delete(key);
      return this.onDrop?.(value);
    }
  }
}

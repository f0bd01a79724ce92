/** A value in a list. */
export interface Link<V> {
  readonly value: V;
  older: Link<V> | undefined;
  newer: Link<V> | undefined;
}

/**
 * Values in the order in which they were added. Adding and removing take the same time however many there are; a Map that is
 * emptied from its front takes longer and longer to find its front.
 */
export class LinkedList<V> {
  #oldest: Link<V> | undefined;
  #newest: Link<V> | undefined;

  get oldest(): Link<V> | undefined {
    return this.#oldest;
  }

  get newest(): Link<V> | undefined {
    return this.#newest;
  }

  add(value: V): Link<V> {
    const link: Link<V> = { value, older: this.#newest, newer: undefined };
    if (this.#newest) this.#newest.newer = link;
    else this.#oldest = link;
    return (this.#newest = link);
  }

  /** Only once, and only links of this list. */
  remove({ older, newer }: Link<V>): void {
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
  }
}

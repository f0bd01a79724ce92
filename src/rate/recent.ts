/**
 * A bounded map that forgets what was not used for longest, roughly: two halves, of which the older one is dropped when the
 * newer one is full. A Map that is emptied from its front, one by one, would take longer and longer to find its front.
 */
export class Recent<V> {
  #newer = new Map<string, V>();
  #older = new Map<string, V>();

  constructor(private readonly half: number) {}

  get(key: string): V | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  set(key: string, value: V): void {
    if (this.#newer.size >= this.half && !this.#newer.has(key)) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }
}

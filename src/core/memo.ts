/**
 * What was found out about objects, for as long as they exist. Most calls ask about the object of the call before, and to
 * compare it is faster than to look it up.
 */
export class Memo<Key extends object, Value> {
  readonly #all = new WeakMap<Key, Value>();
  #last: Key | undefined;
  #value: Value | undefined;

  get(key: Key): Value | undefined {
    if (key === this.#last) return this.#value;
    const value = this.#all.get(key);
    if (value === undefined) return undefined;
    this.#last = key;
    return (this.#value = value);
  }

  set(key: Key, value: Value): void {
    this.#all.set(key, value);
  }
}

/**
 * A body that arrives in chunks. They are copied into one buffer as they arrive: a body sent byte by byte would otherwise
 * keep an object, and perhaps the buffer it was read into, for every byte.
 */
export class GrowingBytes {
  #bytes: Uint8Array = EMPTY;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(chunk: Uint8Array): void {
    const size = this.#size + chunk.byteLength;
    // Most bodies arrive in one chunk, which is not copied.
    if (this.#size === 0) this.#bytes = chunk;
    else {
      if (size > this.#bytes.byteLength) this.#grow(size);
      this.#bytes.set(chunk, this.#size);
    }
    this.#size = size;
  }

  /** Doubles the buffer, so that a byte is copied twice on average at most, and no more than half stays unused. */
  #grow(size: number): void {
    const larger = new Uint8Array(Math.max(size, this.#bytes.byteLength * 2, MIN_CAPACITY));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  /** What has arrived so far. */
  get bytes(): Uint8Array {
    return this.#size === this.#bytes.byteLength ? this.#bytes : this.#bytes.subarray(0, this.#size);
  }
}

const EMPTY = new Uint8Array();
const MIN_CAPACITY = 1024;

/**
 * Bytes that come in pieces, as one. Pieces are copied together as they come: a body sent byte by byte would otherwise
 * keep an object, and perhaps the buffer it was read into, for every byte.
 */
export class GrowingBytes {
  #bytes: Uint8Array = NONE;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    const size = this.#size + piece.byteLength;
    // Most come in one piece, which is taken as it is.
    if (this.#size === 0) this.#bytes = piece;
    else {
      if (size > this.#bytes.byteLength) this.#grow(size);
      this.#bytes.set(piece, this.#size);
    }
    this.#size = size;
  }

  /** Twice as much whenever there is not enough: so each byte is copied twice at most, and no more than half is empty. */
  #grow(size: number): void {
    const larger = new Uint8Array(Math.max(size, this.#bytes.byteLength * 2, SMALLEST));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  /** What has come so far. */
  get bytes(): Uint8Array {
    return this.#size === this.#bytes.byteLength ? this.#bytes : this.#bytes.subarray(0, this.#size);
  }
}

const NONE = new Uint8Array();
const SMALLEST = 1024;

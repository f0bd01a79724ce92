import type { Spool } from '../http/message.ts';

/** Keeps files in memory, for hosts without a disk. */
export class MemorySpool implements Spool {
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];

  write(chunk: Uint8Array): void {
    // A copy: the chunk may be a small part of a large buffer.
    this.#chunks.push(new Uint8Array(chunk));
  }

  end(): Blob {
    return new Blob(this.#chunks);
  }
}

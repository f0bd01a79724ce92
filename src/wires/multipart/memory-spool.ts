import { GrowingBytes } from '../../core/growing-bytes.ts';
import type { Spool } from '../http/message.ts';

/** Keeps files in memory, for hosts without a disk. */
export class MemorySpool implements Spool {
  #stored = new GrowingBytes();

  write(chunk: Uint8Array): void {
    this.#stored.add(chunk);
  }

  end(): Blob {
    const { bytes } = this.#stored;
    this.#stored = new GrowingBytes();
    return new Blob([bytes as Uint8Array<ArrayBuffer>]);
  }
}

import { randomUUID } from 'node:crypto';
import { close, closeSync, existsSync, openAsBlob, openSync, rmSync, unlinkSync, write } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GrowingBytes } from '../core/growing-bytes.ts';
import type { Spool } from '../wires/http/message.ts';

const writeTo = promisify(write);
const closeFile = promisify(close);

/** Up to this many bytes stay in memory: opening a file takes longer than receiving them. */
const IN_MEMORY = 64 * 1024;

const NOTHING = new Uint8Array();

/**
 * Keeps the bytes of uploaded files in one private temporary file. On Linux it loses its name at once, so that nothing is
 * left behind if the process is killed; elsewhere it is removed with `dispose`.
 */
export class DiskSpool implements Spool {
  /** Bytes that are not in the file yet: files may arrive byte by byte. */
  #waiting = new GrowingBytes();
  #file: number | undefined;
  #path = join(tmpdir(), `everywire-upload-${randomUUID()}`);
  #writing: Promise<void> | undefined;
  #isDisposed = false;

  async write(chunk: Uint8Array): Promise<void> {
    if (this.#isDisposed) return;
    // Copied: the buffer that it was read into may be used again.
    if (this.#waiting.size + chunk.length <= IN_MEMORY)
      return this.#waiting.add(this.#waiting.size === 0 ? Buffer.from(chunk) : chunk);
    await this.#flush(chunk);
  }

  async #flush(chunk: Uint8Array): Promise<void> {
    this.#file ??= this.#open();
    const { bytes } = this.#waiting;
    this.#waiting = new GrowingBytes();
    this.#writing = this.#write(this.#file, [bytes, chunk]);
    await this.#writing;
  }

  /** Synchronously: a process that is killed between the two calls would leave the file behind. */
  #open(): number {
    const file = openSync(this.#path, 'wx+', 0o600);
    const nameless = `/proc/self/fd/${file}`;
    if (existsSync(nameless)) {
      unlinkSync(this.#path);
      this.#path = nameless;
    }
    return file;
  }

  async #write(file: number, chunks: readonly Uint8Array[]): Promise<void> {
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length;) at += (await writeTo(file, chunk, at, chunk.length - at, null)).bytesWritten;
    }
  }

  /** Reads from the disk when somebody reads the blob. */
  async end(): Promise<Blob> {
    if (this.#file === undefined) return new Blob([this.#waiting.bytes as Uint8Array<ArrayBuffer>]);
    if (!this.#isDisposed) await this.#flush(NOTHING);
    return openAsBlob(this.#path);
  }

  /** Once nothing is being written, since the number of the file may be that of another one afterwards. */
  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#waiting = new GrowingBytes();
    await this.#writing?.catch(() => {}); // who writes reports it
    if (this.#file !== undefined) await closeFile(this.#file);
    this.#remove();
  }

  /** For a process that ends. */
  disposeSync(): void {
    if (this.#file !== undefined && !this.#isDisposed) closeSync(this.#file);
    this.#isDisposed = true;
    this.#remove();
  }

  #remove(): void {
    if (this.#file !== undefined && !this.#path.startsWith('/proc/')) rmSync(this.#path, { force: true });
  }
}

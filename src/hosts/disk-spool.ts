import { randomUUID } from 'node:crypto';
import { existsSync, openAsBlob, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spool } from '../wires/http/message.ts';

/** Up to this many bytes stay in memory: opening a file takes longer than receiving them. */
const IN_MEMORY = 64 * 1024;

/**
 * Keeps the bytes of uploaded files in one private temporary file. On Linux it has no name from the beginning, so that
 * nothing is left behind if the process is killed; elsewhere it is removed with `dispose`.
 */
export class DiskSpool implements Spool {
  #chunks: Buffer<ArrayBuffer>[] = [];
  #size = 0;
  #file: FileHandle | undefined;
  #path = join(tmpdir(), `everywire-upload-${randomUUID()}`);
  #isDisposed = false;

  async write(chunk: Uint8Array): Promise<void> {
    if (this.#isDisposed) return;
    this.#size += chunk.length;
    if (this.#size <= IN_MEMORY) return void this.#chunks.push(Buffer.from(chunk));
    const file = (this.#file ??= await this.#open());
    if (this.#isDisposed) return this.dispose(); // the client disconnected meanwhile
    for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten;
  }

  async #open(): Promise<FileHandle> {
    const file = await open(this.#path, 'wx+', 0o600);
    const nameless = `/proc/self/fd/${file.fd}`;
    if (existsSync(nameless)) {
      await rm(this.#path);
      this.#path = nameless;
    }
    if (this.#chunks.length > 0) await file.writeFile(Buffer.concat(this.#chunks));
    this.#chunks = [];
    return file;
  }

  /** Reads from the disk when somebody reads the blob. */
  async end(): Promise<Blob> {
    return this.#file ? openAsBlob(this.#path) : new Blob(this.#chunks);
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#chunks = [];
    await this.#file?.close();
    this.disposeSync();
  }

  /** For a process that ends: the system closes the file itself. */
  disposeSync(): void {
    if (this.#file && !this.#path.startsWith('/proc/')) rmSync(this.#path, { force: true });
  }
}

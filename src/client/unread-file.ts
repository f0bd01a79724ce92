import { Failure } from '../core/failure.ts';
import { FILE_HANDLE } from '../core/file-handle.ts';
import type { Download } from './download.ts';

/** Bytes of a chunk of what has been received already. */
const CHUNK = 65_536;

/**
 * Inherits from File without calling its constructor. A File with an empty content would be taken for an empty file by
 * native code (`new Blob([file])`, `URL.createObjectURL(file)`); this one is refused.
 */
const FileBase = Object.assign(function () {}, { prototype: File.prototype }) as unknown as new () => File;

/** Ends the requests of files that nobody can read any more. Not every runtime can tell. */
const forgotten =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<Download>((download) => void download.cancel());

/** A file that is too large for memory: received while `stream()` is read, once. */
export class UnreadFile extends FileBase {
  override readonly name: string;
  override readonly type: string;
  /** NaN if it is not known before the end. */
  override readonly size: number;
  override readonly lastModified = Date.now();
  override readonly webkitRelativePath = '';
  readonly #limit: number;
  readonly #download: Download;
  #received: Uint8Array;
  #isTaken = false;

  /** `received`: what was read from the download to learn that it is larger than the limit. */
  constructor(about: { name: string; type: string }, limit: number, download: Download, received: Uint8Array) {
    super();
    this.name = about.name;
    this.type = about.type;
    this.size = download.size ?? NaN;
    this.#limit = limit;
    this.#download = download;
    this.#received = received;
    // Native code converts what is no File of its own to a string. A function makes structuredClone fail, too.
    const value = () => {
      throw this.#tooLarge();
    };
    Object.defineProperty(this, 'toString', { value, enumerable: true });
    forgotten?.register(this, download);
  }

  /** For functions that return it: it is not in memory. */
  get [FILE_HANDLE](): true {
    return true;
  }

  /** The closures refer to `this`: a file that is being read is not forgotten. */
  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    if (this.#isTaken) throw new TypeError(`${this.#what}, and stream() was called before`);
    this.#isTaken = true;
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: async (controller) => {
          const chunk = await this.#next();
          if (chunk) controller.enqueue(chunk as Uint8Array<ArrayBuffer>);
          else controller.close();
        },
        cancel: async () => {
          this.#received = new Uint8Array();
          await this.#download.cancel();
        },
      },
      { highWaterMark: 0 }, // reads on demand
    );
  }

  async #next(): Promise<Uint8Array | undefined> {
    if (this.#received.byteLength === 0) return this.#download.read();
    // A copy: the reader may transfer it.
    const chunk = this.#received.slice(0, CHUNK);
    this.#received = this.#received.subarray(CHUNK);
    return chunk;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    throw this.#tooLarge();
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    throw this.#tooLarge();
  }

  override async text(): Promise<string> {
    throw this.#tooLarge();
  }

  override slice(): Blob {
    throw this.#tooLarge();
  }

  /** For console.log on Node.js, whose own method needs a real File. */
  [Symbol.for('nodejs.util.inspect.custom')](_depth: number, options: object, inspect: Inspect): string {
    const { size, type, name, lastModified } = this;
    return `File ${inspect({ size, type, name, lastModified }, options)}`;
  }

  get #what(): string {
    return `The file is larger than ${this.#limit} bytes (maxBufferedFile)`;
  }

  #tooLarge(): Failure {
    return new Failure('PAYLOAD_TOO_LARGE', `${this.#what}: only stream() can read it`);
  }
}

type Inspect = (value: unknown, options: object) => string;

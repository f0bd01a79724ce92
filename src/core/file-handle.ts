import { isBlob } from '../schema/file-form.ts';

/** A file that a function returned and nobody has read yet. A `File` is one; so is what is still being produced. */
export interface FileHandle {
  readonly name: string;
  /** The media type; may be empty. */
  readonly type: string;
  /** Undefined if it is not known before the end. */
  readonly size: number | undefined;
  /** The bytes, once. */
  stream(): ReadableStream<Uint8Array>;
}

/** What a function may return for `forms.file`. */
export type ReturnedFile =
  | Blob
  | Uint8Array
  | {
      readonly name?: string;
      /** The media type. */
      readonly type?: string;
      /** Read when it is sent, and no faster than the client reads. */
      readonly stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
    };

// Two copies of the package may be loaded in one process, where instanceof fails.
/** Marks files that are not in memory. */
export const FILE_HANDLE: unique symbol = Symbol.for('everywire.file') as never;

export function isFileHandle(value: unknown): value is FileHandle {
  return isBlob(value) || (typeof value === 'object' && value !== null && FILE_HANDLE in value);
}

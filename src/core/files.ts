/** The files of the virtual environment: those of its mounts, by virtual path, and nothing else of the host. */
export interface Files {
  /** Where relative paths begin. It belongs to this call and to no other. */
  readonly currentDirectory: string;
  changeDirectory(path: string): Promise<void>;
  /** The bytes of a file, or `length` of them from `offset` on; fewer where the file ends. */
  read(path: string, range?: Range): Promise<Uint8Array>;
  /** A file as text in UTF-8. */
  readText(path: string): Promise<string>;
  /** Makes or replaces a file. Whole or not at all: nobody ever sees half of it. */
  write(path: string, data: Data): Promise<void>;
  /** Replaces a part of a file, which may grow by it. Whole or not at all. */
  rewrite(path: string, offset: number, data: Data): Promise<void>;
  /** Adds to the end of a file, or makes it, in one write: what several processes append is all there. */
  append(path: string, data: Data): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /** Removes a file, a link or an empty folder; with `recursive`, a folder and all that is in it. */
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<void>;
  /** Permissions such as 0o640. */
  chmod(path: string, mode: number): Promise<void>;
  /** Makes a folder, and those above it that are missing. */
  makeDirectory(path: string): Promise<void>;
  /** What stands at a path; undefined when nothing does. */
  stat(path: string): Promise<FileEntry | undefined>;
  /** What is in a folder, by name. */
  list(path?: string): Promise<FileEntry[]>;
  /** What lies below a folder and matches a pattern such as `**\/*.txt`. Links are not followed. */
  find(pattern: string, from?: string): Promise<FileEntry[]>;
}

export type Data = string | Uint8Array;

export interface Range {
  readonly offset?: number;
  readonly length?: number;
}

export interface FileEntry {
  readonly name: string;
  /** Its virtual path. */
  readonly path: string;
  readonly kind: FileKind;
  /** In bytes; 0 for what is no file. */
  readonly size: number;
  /** Permissions, such as 0o644. */
  readonly mode: number;
  readonly modified: Date;
}

/** `other` is what cannot be read as a file: a pipe, a device, a socket. */
export type FileKind = 'file' | 'directory' | 'link' | 'other';

/** Files for any number of calls; each opens its own view of them. */
export interface FileStore {
  open(): Files;
}

/** The mounted files, by virtual path. Nothing else of the host is accessible. */
export interface Files {
  /** The base of relative paths. Each call has its own. */
  readonly currentDirectory: string;
  changeDirectory(path: string): Promise<void>;
  /** Reads a file, or `length` bytes from `offset` on; fewer if the file ends before. */
  read(path: string, range?: Range): Promise<Uint8Array>;
  /** Reads a file as a UTF-8 string. */
  readText(path: string): Promise<string>;
  /** Creates or replaces a file atomically: nobody can see a half-written file. */
  write(path: string, data: Data): Promise<void>;
  /** Overwrites a part of a file, which may grow. Atomic. */
  rewrite(path: string, offset: number, data: Data): Promise<void>;
  /** Appends to a file in one write, or creates it. Several processes may append to one file. */
  append(path: string, data: Data): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /** Removes a file, a link or an empty folder; with `recursive`, a folder and its contents. */
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<void>;
  /** `mode`: permissions such as 0o640. */
  chmod(path: string, mode: number): Promise<void>;
  /** Creates a folder and its missing parents. */
  makeDirectory(path: string): Promise<void>;
  /** Undefined if nothing exists at the path. */
  stat(path: string): Promise<FileEntry | undefined>;
  /** The entries of a folder, sorted by name. */
  list(path?: string): Promise<FileEntry[]>;
  /** The entries below a folder that match a pattern such as `**\/*.txt`. Links are not followed. */
  find(pattern: string, from?: string): Promise<FileEntry[]>;
}

export type Data = string | Uint8Array;

export interface Range {
  readonly offset?: number;
  readonly length?: number;
}

export interface FileEntry {
  readonly name: string;
  /** The virtual path. */
  readonly path: string;
  readonly kind: FileKind;
  /** In bytes; 0 unless it is a file. */
  readonly size: number;
  /** Permissions, such as 0o644. */
  readonly mode: number;
  readonly modified: Date;
}

/** `other`: a pipe, a device or a socket. */
export type FileKind = 'file' | 'directory' | 'link' | 'other';

/** Shared by all calls; each call opens its own view. */
export interface FileStore {
  open(): Files;
}

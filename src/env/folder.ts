import type { FileEntry, FileKind } from '../core/files.ts';
import type { Steps } from './virtual-path.ts';

/**
 * The storage behind a mount: a folder of the host, or in memory. Steps are the names on the way from its top. A symbolic
 * link on the way throws LinkFound; all other errors are a FolderError, which has no path, since a folder does not know
 * where it is mounted.
 */
export interface Folder {
  /** Undefined if nothing exists there. */
  stat(steps: Steps): Promise<Stat | undefined>;
  /** In any order. Links are listed as links. */
  list(steps: Steps): Promise<readonly (Stat & { readonly name: string })[]>;
  /** Opens a regular file for reading. */
  open(steps: Steps): Promise<OpenFile>;
  /** Creates or replaces a file atomically. */
  write(steps: Steps, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  append(steps: Steps, data: Uint8Array): Promise<void>;
  /** Removes a link itself, not its target. */
  remove(steps: Steps, recursive: boolean): Promise<void>;
  chmod(steps: Steps, mode: number): Promise<void>;
  /** The parent must exist. Does nothing if the folder exists. */
  makeDirectory(steps: Steps): Promise<void>;
  /** An id of the file, whether it exists or not; the same through every Folder. Optional if no other one shows it. */
  identify?(steps: Steps): Promise<string>;
}

export interface Stat extends Pick<FileEntry, 'size' | 'mode' | 'modified'> {
  readonly kind: FileKind;
}

/** An open file. Stays readable if it is renamed or replaced. */
export interface OpenFile {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Thrown for a symbolic link. `to` is its target below the same folder; undefined if the target is outside. */
export class LinkFound extends Error {
  constructor(readonly to: Steps | undefined) {
    super('Symbolic link');
  }
}

/** What can be wrong with a path: the code and the message. */
export const folderErrors = {
  missing: ['NOT_FOUND', 'No such file or folder'],
  directory: ['CONFLICT', 'It is a folder'],
  notDirectory: ['CONFLICT', 'Not a folder'],
  notFile: ['FORBIDDEN', 'Neither a file nor a folder'],
  hardLink: ['FORBIDDEN', 'Hard-linked file, which may exist outside of the mount'],
  notEmpty: ['CONFLICT', 'The folder is not empty'],
  mountPoint: ['FORBIDDEN', 'The root of a mount'],
  outside: ['FORBIDDEN', 'Outside of every mount'],
  leavesMount: ['FORBIDDEN', 'A link leads out of the mount'],
  loop: ['FORBIDDEN', 'Too many links'],
  readOnly: ['FORBIDDEN', 'Read-only'],
  denied: ['FORBIDDEN', 'Not permitted'],
  changed: ['CONFLICT', 'It changed while it was read'],
  tooLarge: ['CONFLICT', 'Too large to read at once; read a part of it'],
  tooLong: ['INVALID_ARGUMENTS', 'The name is too long'],
  fileTooLarge: ['QUOTA_EXCEEDED', 'The file would be larger than the mount allows'],
  full: ['QUOTA_EXCEEDED', 'The mount is full'],
  broken: ['INTERNAL_ERROR', 'The host failed to do it'],
} as const;

export class FolderError extends Error {
  constructor(readonly what: keyof typeof folderErrors) {
    super(folderErrors[what][1]);
  }
}

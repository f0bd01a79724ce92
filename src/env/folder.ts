import type { FileEntry, FileKind } from '../core/files.ts';
import type { Steps } from './virtual-path.ts';

/**
 * What a mount shows: a folder of the host, or of memory. Steps are names below it. Whoever meets a link on the way
 * throws a Detour; whatever else goes wrong is a Trouble, which says what but not where: a folder does not know under
 * which path it is seen.
 */
export interface Folder {
  /** Undefined when nothing is there. */
  stat(steps: Steps): Promise<Stat | undefined>;
  /** In any order; of a link it is told that it is one. */
  list(steps: Steps): Promise<readonly (Stat & { readonly name: string })[]>;
  /** A regular file, for reading. */
  open(steps: Steps): Promise<OpenFile>;
  /** Makes or replaces a file, whole or not at all. */
  write(steps: Steps, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  append(steps: Steps, data: Uint8Array): Promise<void>;
  /** Of a link, the link. */
  remove(steps: Steps, recursive: boolean): Promise<void>;
  chmod(steps: Steps, mode: number): Promise<void>;
  /** One folder in another that is there; nothing happens if it is there already. */
  makeDirectory(steps: Steps): Promise<void>;
  /** Says which file is meant, there or not: the same in every folder that leads to it. Not needed where none else does. */
  identify?(steps: Steps): Promise<string>;
}

export interface Stat extends Pick<FileEntry, 'size' | 'mode' | 'modified'> {
  readonly kind: FileKind;
}

/** One file as it was when it was opened, whatever becomes of its name. */
export interface OpenFile {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** A link was met; `to` is where it leads below the same folder, undefined when that is outside. */
export class Detour extends Error {
  constructor(readonly to: Steps | undefined) {
    super('A link');
  }
}

/** What can be wrong with a path, and how it is said. */
export const troubles = {
  missing: ['NOT_FOUND', 'No such file or folder'],
  directory: ['CONFLICT', 'It is a folder'],
  notDirectory: ['CONFLICT', 'Not a folder'],
  notFile: ['FORBIDDEN', 'Neither a file nor a folder'],
  manyNames: ['FORBIDDEN', 'It has a second name, maybe outside of the mount (a hard link)'],
  notEmpty: ['CONFLICT', 'The folder is not empty'],
  mountPoint: ['FORBIDDEN', 'It is the top of a mount'],
  outside: ['FORBIDDEN', 'Outside of every mount'],
  leavesMount: ['FORBIDDEN', 'A link leads out of the mount'],
  loop: ['FORBIDDEN', 'Too many links'],
  readOnly: ['FORBIDDEN', 'Read-only'],
  denied: ['FORBIDDEN', 'Not permitted'],
  changed: ['CONFLICT', 'It changed while it was read'],
  tooLarge: ['CONFLICT', 'Too large to be read at once; ask for a part of it'],
  tooLong: ['INVALID_ARGUMENTS', 'The name is too long'],
  fileTooLarge: ['QUOTA_EXCEEDED', 'The file would be larger than the mount allows'],
  full: ['QUOTA_EXCEEDED', 'The mount has no room for it'],
  broken: ['INTERNAL_ERROR', 'The host could not do it'],
} as const;

export class Trouble extends Error {
  constructor(readonly what: keyof typeof troubles) {
    super(troubles[what][1]);
  }
}

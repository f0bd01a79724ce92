import type { Stats } from 'node:fs';
import type { FileKind } from '../core/files.ts';
import { FolderError } from './folder.ts';
import type { Stat } from './folder.ts';

/** A file or folder that was reached. `path` stays valid if it is renamed and its descriptor is held. */
export interface HostEntry {
  readonly path: string;
  readonly stats: Stats;
}

export function directory(entry: HostEntry | undefined): HostEntry {
  if (!entry) throw new FolderError('missing');
  if (!entry.stats.isDirectory()) throw new FolderError('notDirectory');
  return entry;
}

export function file(entry: HostEntry | undefined): HostEntry {
  if (!entry) throw new FolderError('missing');
  replaceable(entry);
  checkedFile(entry.stats);
  return entry;
}

/** Hard-linked files may be replaced: their other names keep the old content. */
export function replaceable({ stats }: HostEntry): void {
  if (stats.isDirectory()) throw new FolderError('directory');
  if (!stats.isFile()) throw new FolderError('notFile');
}

/** A hard link may be a file outside of the mount. */
export function checkedFile(stats: Stats): Stats {
  if (!stats.isFile()) throw new FolderError('notFile');
  if (stats.nlink > 1) throw new FolderError('hardLink');
  return stats;
}

export function statOf(stats: Stats): Stat {
  const kind = kindOf(stats);
  return { kind, size: kind === 'file' ? stats.size : 0, mode: stats.mode & 0o777, modified: stats.mtime };
}

function kindOf(stats: Stats): FileKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

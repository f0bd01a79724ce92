import type { Stats } from 'node:fs';
import type { FileKind } from '../core/files.ts';
import { Trouble } from './folder.ts';
import type { Stat } from './folder.ts';

/** A file or folder that was reached. `path` stays valid if it is renamed and its descriptor is held. */
export interface Spot {
  readonly path: string;
  readonly stats: Stats;
}

export function directory(spot: Spot | undefined): Spot {
  if (!spot) throw new Trouble('missing');
  if (!spot.stats.isDirectory()) throw new Trouble('notDirectory');
  return spot;
}

export function file(spot: Spot | undefined): Spot {
  if (!spot) throw new Trouble('missing');
  replaceable(spot);
  checkedFile(spot.stats);
  return spot;
}

/** Hard-linked files may be replaced: their other names keep the old content. */
export function replaceable({ stats }: Spot): void {
  if (stats.isDirectory()) throw new Trouble('directory');
  if (!stats.isFile()) throw new Trouble('notFile');
}

/** A hard link may be a file outside of the mount. */
export function checkedFile(stats: Stats): Stats {
  if (!stats.isFile()) throw new Trouble('notFile');
  if (stats.nlink > 1) throw new Trouble('manyNames');
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

import type { Stats } from 'node:fs';
import type { FileKind } from '../core/files.ts';
import { Trouble } from './folder.ts';
import type { Stat } from './folder.ts';

/** Something that was reached. Below `path` its children are found, whatever has become of its name. */
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

/** A file may be replaced even if it has other names: they keep what they had. */
export function replaceable({ stats }: Spot): void {
  if (stats.isDirectory()) throw new Trouble('directory');
  if (!stats.isFile()) throw new Trouble('notFile');
}

/** A name within the mount may be the second name of a file outside of it. */
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

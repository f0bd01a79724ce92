import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { digestOf } from './digest.ts';

/** What a result depends on: contents of files, paths where nothing is, and where links lead. */
export class Dependencies {
  readonly inputs = new Set<string>();
  /** Paths that would lead elsewhere if there was a file. */
  readonly missing = new Set<string>();
  /** Paths that are links, and where they lead: they may lead elsewhere later, as pnpm's do. */
  readonly links = new Map<string, string>();

  /** The real path of a file or folder. */
  follow(path: string): string {
    const real = realpathSync(path);
    if (real !== path) this.links.set(path, real);
    return real;
  }

  /** The first of these paths that is a file. */
  firstFile(paths: readonly string[]): string | undefined {
    for (const path of paths) {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isFile()) return path;
      if (!found) this.missing.add(path);
    }
    return undefined;
  }

  /** The file of this name in the nearest folder above a file. */
  nearest(name: string, file: string): string | undefined {
    return this.firstFile(foldersAbove(dirname(file)).map((folder) => join(folder, name)));
  }
}

/** A folder and all that it is in. */
export function foldersAbove(folder: string): readonly string[] {
  return dirname(folder) === folder ? [folder] : [folder, ...foldersAbove(dirname(folder))];
}

/** What a result was made from: files and their contents, files that were looked for and not found, and where links lead. */
export interface InputStates {
  readonly files: readonly (readonly [path: string, state: string, digest: string])[];
  readonly missing: readonly string[];
  readonly links: Links;
}

/** Paths that go through a symbolic link, with the real path of each. */
export type Links = readonly (readonly [path: string, real: string])[];

/** The coarsest timestamps of file systems, in milliseconds. */
const COARSEST_TIME = 2000;

/** How far the clock of a file system may be behind ours, in milliseconds. */
const CLOCK_LAG = 20;

/**
 * Records inputs. `began` is when the first of them was read; undefined if one has changed since, so that the result may be made
 * from something else.
 */
export function recordInputs(
  files: readonly string[],
  missing: readonly string[],
  began: number,
  links: Links,
): InputStates | undefined {
  try {
    const states = files.map((path) => {
      const { ctimeMs } = statSync(path);
      if (ctimeMs >= began - CLOCK_LAG) throw new Error(`${path} has changed`);
      // A change in the same moment would have the same timestamps: then only the content counts.
      const state = ctimeMs >= began - COARSEST_TIME ? '' : stateOf(path);
      return [path, state, digestOf(readFileSync(path))] as const;
    });
    // A file where a folder was looked for is there, and stays what it is.
    return { files: states, missing: missing.filter((path) => !exists(path)), links };
  } catch {
    return undefined;
  }
}

/** Whether the same inputs would be read again. A file that was only touched, or checked out again, is the same. */
export function areUnchanged({ files, missing, links }: InputStates): boolean {
  try {
    return (
      files.every(([path, state, digest]) => stateOf(path) === state || digestOf(readFileSync(path)) === digest) &&
      !missing.some(exists) &&
      links.every(([path, real]) => realpathSync(path) === real)
    );
  } catch {
    return false; // one is gone
  }
}

/** Identifies the content of a file. Tools can preserve size and mtime; inode and ctime are set by the system. */
function stateOf(path: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

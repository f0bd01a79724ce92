import { ContextFailure, Failure } from '../core/failure.ts';
import { LinkFound, FolderError, folderErrors } from './folder.ts';
import type { Folder } from './folder.ts';
import { Quota } from './quota.ts';
import { isWithin, pathOf, stepsOf } from './virtual-path.ts';
import type { Steps } from './virtual-path.ts';

/** A folder under a virtual path. */
export interface Mount {
  /** The virtual path. */
  readonly at: string;
  readonly folder: Folder;
  readonly readOnly?: boolean;
  /** The maximum size of a file. */
  readonly maxFileBytes?: number | undefined;
  /** The maximum size of all files together. */
  readonly maxBytes?: number | undefined;
}

export interface Mounted {
  readonly at: Steps;
  readonly folder: Folder;
  readonly readOnly: boolean;
  readonly quota: Quota;
}

const MAX_LINKS = 40;

/** Finds the mount of a path. Of nested mounts the longest wins; one folder may be mounted twice. */
export class Mounts {
  readonly #mounted: readonly Mounted[];

  constructor(mounts: readonly Mount[]) {
    const places = mounts.map(({ at }) => pathOf(stepsOf(at, [])));
    const relative = mounts.find(({ at }) => !at.startsWith('/'));
    if (relative) throw new Error(`The path of a mount must start with /, not ${JSON.stringify(relative.at)}`);
    const twice = places.find((place, i) => places.indexOf(place) < i);
    if (twice !== undefined) throw new Error(`Two mounts at ${twice}`);
    this.#mounted = mounts
      .map(({ at, folder, readOnly = false, ...limits }) => ({
        at: stepsOf(at, []),
        folder,
        readOnly,
        quota: new Quota(folder, limits),
      }))
      .toSorted((a, b) => b.at.length - a.at.length);
  }

  /** Calls `work` with the mount of a path. Follows links within the mount. */
  async at<T>(requested: Steps, work: (mount: Mounted, below: Steps, steps: Steps) => Promise<T>): Promise<T> {
    let steps = requested;
    for (let links = 0; links <= MAX_LINKS; links++) {
      const mount = this.over(steps);
      if (!mount) throw failure(this.isAbove(steps) ? 'mountPoint' : 'outside', requested);
      try {
        return await work(mount, steps.slice(mount.at.length), requested);
      } catch (thrown) {
        if (!(thrown instanceof LinkFound))
          throw thrown instanceof FolderError ? failure(thrown.what, requested) : thrown;
        if (!thrown.to) throw failure('leavesMount', requested);
        // Starts again: the target may be in another mount.
        steps = [...mount.at, ...thrown.to];
      }
    }
    throw failure('loop', requested);
  }

  /** The mount that a path belongs to. */
  over(steps: Steps): Mounted | undefined {
    return this.#mounted.find(({ at }) => isWithin(steps, at));
  }

  /** The mounts at a path or below it. */
  below(steps: Steps): readonly Mounted[] {
    return this.#mounted.filter(({ at }) => isWithin(at, steps));
  }

  /** Whether a folder exists only because of a mount below it. The root always exists. */
  isAbove(steps: Steps): boolean {
    return !this.over(steps) && (steps.length === 0 || this.below(steps).length > 0);
  }
}

/** Names the requested virtual path, and nothing of the host. */
export function failure(what: keyof typeof folderErrors, steps: Steps): Failure {
  const [code, sentence] = folderErrors[what];
  return new ContextFailure(code, `${sentence}: ${pathOf(steps)}`);
}

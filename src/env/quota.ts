import { LinkFound, FolderError } from './folder.ts';
import type { Folder } from './folder.ts';
import type { Steps } from './virtual-path.ts';

export interface QuotaLimits {
  readonly maxFileBytes?: number | undefined;
  readonly maxBytes?: number | undefined;
}

/** Limits the size of a mount. Measures it again for every write, since other processes write too. */
export class Quota {
  constructor(
    private readonly folder: Folder,
    private readonly limits: QuotaLimits,
  ) {}

  /** Throws if a write exceeds the quota. `newSize` returns the new size of the file, given the current one. */
  async check(steps: Steps, newSize: (now: number) => number): Promise<void> {
    const { maxFileBytes = Infinity, maxBytes } = this.limits;
    if (maxFileBytes === Infinity && maxBytes === undefined) return;
    const now = (await this.folder.stat(steps))?.size ?? 0;
    const size = newSize(now);
    if (size > maxFileBytes) throw new FolderError('fileTooLarge');
    if (maxBytes !== undefined && (await this.#used([])) - now + size > maxBytes) throw new FolderError('full');
  }

  get limitsMount(): boolean {
    return this.limits.maxBytes !== undefined;
  }

  async #used(steps: Steps): Promise<number> {
    let sum = 0;
    for (const { name, kind, size } of await this.#list(steps)) {
      sum += kind === 'directory' ? await this.#used([...steps, name]) : size;
    }
    return sum;
  }

  /** Another process may have removed the folder or replaced it by a link. It then counts as empty. */
  async #list(steps: Steps): ReturnType<Folder['list']> {
    try {
      return await this.folder.list(steps);
    } catch (error) {
      const isGone = error instanceof LinkFound || (error instanceof FolderError && GONE.has(error.what));
      if (steps.length > 0 && isGone) return [];
      throw error;
    }
  }
}

const GONE = new Set<FolderError['what']>(['missing', 'notDirectory']);

import { Trouble } from './folder.ts';
import type { Folder } from './folder.ts';
import type { Steps } from './virtual-path.ts';

export interface QuotaLimits {
  readonly maxFileBytes?: number | undefined;
  readonly maxBytes?: number | undefined;
}

/**
 * How much may be written to a mount. What is there is counted anew for every write, since others write too; writes of
 * this process wait for each other, so that two of them cannot both take the last room.
 */
export class Quota {
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: Folder,
    private readonly limits: QuotaLimits,
  ) {}

  get isLimited(): boolean {
    return this.limits.maxFileBytes !== undefined || this.limits.maxBytes !== undefined;
  }

  /** Does the work if the file may become that large. */
  async forWriting(steps: Steps, size: number, work: () => Promise<void>): Promise<void> {
    const { maxFileBytes = Infinity, maxBytes } = this.limits;
    if (size > maxFileBytes) throw new Trouble('fileTooLarge');
    if (maxBytes === undefined) return work();
    const turn = this.#last.then(async () => {
      const replaced = (await this.folder.stat(steps))?.size ?? 0;
      if ((await this.#used([])) - replaced + size > maxBytes) throw new Trouble('full');
      return work();
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #used(steps: Steps): Promise<number> {
    let sum = 0;
    for (const { name, kind, size } of await this.folder.list(steps)) {
      sum += kind === 'directory' ? await this.#used([...steps, name]) : size;
    }
    return sum;
  }
}

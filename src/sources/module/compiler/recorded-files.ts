import { readFileSync, statSync } from 'node:fs';

/**
 * The file system as the compiler sees it: one file that exists only here, and a record of what was read and of what was
 * looked for in vain. What was read from a module stays true while none of this changes.
 */
export class RecordedFiles {
  readonly read = new Set<string>();
  readonly missed = new Set<string>();

  constructor(
    private readonly virtualPath: string,
    private readonly virtualText: string,
  ) {}

  text(path: string): string | undefined {
    if (path === this.virtualPath) return this.virtualText;
    try {
      const text = readFileSync(path, 'utf8');
      this.read.add(path);
      return text.startsWith('\uFEFF') ? text.slice(1) : text;
    } catch {
      this.missed.add(path);
      return undefined;
    }
  }

  isFile(path: string): boolean {
    if (path === this.virtualPath) return true;
    return this.#look(path, (stats) => stats.isFile());
  }

  isFolder(path: string): boolean {
    return this.#look(path, (stats) => stats.isDirectory());
  }

  #look(path: string, is: (stats: NonNullable<ReturnType<typeof statSync>>) => boolean): boolean {
    let found = false;
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      found = stats !== undefined && is(stats);
    } catch {
      // Not accessible: the same as missing.
    }
    if (!found) this.missed.add(path);
    return found;
  }
}

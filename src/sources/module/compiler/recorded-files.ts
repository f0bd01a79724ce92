import { readFileSync, realpathSync, statSync } from 'node:fs';

/**
 * The file system as the compiler sees it: some files that exist only here, and a record of what was read and of what was
 * looked for in vain. What was read from a module stays true while none of this changes.
 */
export class RecordedFiles {
  readonly read = new Set<string>();
  readonly missed = new Set<string>();
  /** Paths that go through a symbolic link, with the real path of each: the link of a package may lead elsewhere later. */
  readonly links = new Map<string, string>();
  /** Files that an import may mean, with their real paths. The compiler does not read all of them. */
  readonly found = new Map<string, string>();

  constructor(private readonly virtual: ReadonlyMap<string, string> = new Map()) {}

  text(path: string): string | undefined {
    const text = this.virtual.get(path);
    if (text !== undefined) return text;
    try {
      const found = readFileSync(path, 'utf8');
      this.read.add(path);
      return found.startsWith('\uFEFF') ? found.slice(1) : found;
    } catch {
      this.missed.add(path);
      return undefined;
    }
  }

  isFile(path: string): boolean {
    if (this.virtual.has(path)) return true;
    const isFile = this.#look(path, (stats) => stats.isFile());
    if (isFile) this.found.set(path, this.links.get(path) ?? path);
    return isFile;
  }

  isFolder(path: string): boolean {
    if ([...this.virtual.keys()].some((one) => one.startsWith(`${path}/`))) return true;
    return this.#look(path, (stats) => stats.isDirectory());
  }

  #look(path: string, is: (stats: NonNullable<ReturnType<typeof statSync>>) => boolean): boolean {
    let found = false;
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      found = stats !== undefined && is(stats);
      const real = found ? realpathSync.native(path) : path;
      if (real !== path) this.links.set(path, real);
    } catch {
      // Not accessible: the same as missing.
    }
    if (!found) this.missed.add(path);
    return found;
  }
}

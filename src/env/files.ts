import { ContextFailure } from '../core/failure.ts';
import type { Data, FileEntry, FileStore, Files, Range } from '../core/files.ts';
import { chunks, concat, toBytes } from './file-data.ts';
import { FolderError } from './folder.ts';
import type { OpenFile, Stat } from './folder.ts';
import { Glob } from './glob.ts';
import { Mounts, failure } from './mounts.ts';
import type { Mount, Mounted } from './mounts.ts';
import { identityOf, enqueueByPath, enqueue } from './write-queue.ts';
import { pathOf, stepsOf } from './virtual-path.ts';
import type { Steps } from './virtual-path.ts';

/** Creates the virtual file system of `context.files`. */
export function createFiles(mounts: readonly Mount[]): FileStore {
  const all = new Mounts(mounts);
  return { open: () => new MountedFiles(all) };
}

const MAX_SEARCHED = 100_000;

class MountedFiles implements Files {
  #directory: Steps = [];

  constructor(private readonly mounts: Mounts) {}

  get currentDirectory(): string {
    return pathOf(this.#directory);
  }

  async changeDirectory(path: string): Promise<void> {
    const steps = this.#steps(path);
    const found = await this.#stat(steps);
    if (found?.kind !== 'directory') throw failure(found ? 'notDirectory' : 'missing', steps);
    this.#directory = steps;
  }

  async read(path: string, { offset = 0, length = Infinity }: Range = {}): Promise<Uint8Array> {
    checkNumber('offset', offset);
    if (length !== Infinity) checkNumber('length', length);
    return this.#withFile(path, (file) =>
      file.read(Math.min(offset, file.size), Math.min(length, Math.max(file.size - offset, 0))),
    );
  }

  async readText(path: string): Promise<string> {
    const bytes = await this.read(path);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new ContextFailure('CONFLICT', `Not text in UTF-8: ${pathOf(this.#steps(path))}`);
    }
  }

  async write(path: string, data: Data): Promise<void> {
    const bytes = toBytes(data);
    await this.#changeContent(
      path,
      () => bytes.length,
      ({ folder }, below) => folder.write(below, [bytes]),
    );
  }

  async rewrite(path: string, offset: number, data: Data): Promise<void> {
    checkNumber('offset', offset);
    const bytes = toBytes(data);
    const end = offset + bytes.length;
    await this.#changeContent(
      path,
      (now) => Math.max(now, end),
      async ({ folder }, below, steps) => {
        const file = await folder.open(below);
        try {
          if (offset > file.size) {
            throw new ContextFailure(
              'CONFLICT',
              `Offset ${offset} is past the end: ${pathOf(steps)} has ${file.size} bytes`,
            );
          }
          await folder.write(below, concat(chunks(file, 0, offset), [bytes], chunks(file, end, file.size)));
        } finally {
          await file.close();
        }
      },
    );
  }

  async append(path: string, data: Data): Promise<void> {
    const bytes = toBytes(data);
    await this.#changeContent(
      path,
      (now) => now + bytes.length,
      ({ folder }, below) => folder.append(below, bytes),
    );
  }

  async copy(from: string, to: string): Promise<void> {
    await this.#withFile(from, (file) =>
      this.#changeContent(
        to,
        () => file.size,
        ({ folder }, below) => folder.write(below, chunks(file, 0, file.size)),
      ),
    );
  }

  async remove(path: string, { recursive = false } = {}): Promise<void> {
    await this.#change(path, async ({ at, folder }, below) => {
      if (this.mounts.below([...at, ...below]).length > 0) throw new FolderError('mountPoint');
      await folder.remove(below, recursive);
    });
  }

  async chmod(path: string, mode: number): Promise<void> {
    if (!Number.isInteger(mode) || mode < 0 || mode > 0o777) {
      throw new ContextFailure('INVALID_ARGUMENTS', `Expected permissions from 0 to 0o777, got ${String(mode)}`);
    }
    // Queued: a rewrite in progress would restore the old permissions.
    await this.#change(path, ({ folder }, below) =>
      enqueueByPath(folder, below, async () =>
        enqueue(await identityOf(folder, below), () => folder.chmod(below, mode)),
      ),
    );
  }

  async makeDirectory(path: string): Promise<void> {
    const steps = this.#steps(path);
    // Folders above a mount exist already.
    if (this.mounts.isAbove(steps)) return;
    const mount = this.mounts.over(steps);
    for (let depth = (mount?.at.length ?? 0) + 1; depth <= steps.length; depth++) {
      await this.#change(pathOf(steps.slice(0, depth)), ({ folder }, below) => folder.makeDirectory(below));
    }
  }

  async stat(path: string): Promise<FileEntry | undefined> {
    const steps = this.#steps(path);
    const found = await this.#stat(steps);
    return found && entry(found, steps);
  }

  async list(path = '.'): Promise<FileEntry[]> {
    return this.#list(this.#steps(path));
  }

  async find(pattern: string, from = '.'): Promise<FileEntry[]> {
    const glob = new Glob(pattern);
    const top = this.#steps(from);
    const found: FileEntry[] = [];
    let seen = 0;
    const search = async (steps: Steps, states: readonly number[]): Promise<void> => {
      for (const one of await this.#list(steps)) {
        if (++seen > MAX_SEARCHED)
          throw new ContextFailure('CONFLICT', `More than ${MAX_SEARCHED} files and folders: ${pathOf(top)}`);
        const next = glob.step(states, one.name);
        if (glob.isMatch(next)) found.push(one);
        if (next.length > 0 && one.kind === 'directory') await search([...steps, one.name], next);
      }
    };
    await search(top, glob.start);
    return found;
  }

  #steps(path: string): Steps {
    return stepsOf(path, this.#directory);
  }

  #withFile<T>(path: string, work: (file: OpenFile) => Promise<T>): Promise<T> {
    return this.mounts.at(this.#steps(path), async ({ folder }, below) => {
      const file = await folder.open(below);
      try {
        return await work(file);
      } finally {
        await file.close();
      }
    });
  }

  #change(path: string, work: (mount: Mounted, below: Steps, steps: Steps) => Promise<void>): Promise<void> {
    return this.mounts.at(this.#steps(path), async (mount, below, steps) => {
      if (mount.readOnly) throw new FolderError('readOnly');
      if (below.length === 0) throw new FolderError('mountPoint');
      return work(mount, below, steps);
    });
  }

  /** The same for changes of content: one at a time per file, and within the quota. */
  #changeContent(
    path: string,
    newSize: (now: number) => number,
    work: (mount: Mounted, below: Steps, steps: Steps) => Promise<void>,
  ): Promise<void> {
    return this.#change(path, (mount, below, steps) => {
      const { folder, quota } = mount;
      return enqueueByPath(folder, below, async () => {
        const file = await identityOf(folder, below);
        const change = () =>
          enqueue(file, async () => {
            await quota.check(below, newSize);
            return work(mount, below, steps);
          });
        // Writes share the quota of a mount. The mount is always locked before the file, so that no deadlock occurs.
        return quota.limitsMount ? enqueue(`all of ${await identityOf(folder, [])}`, change) : change();
      });
    });
  }

  async #stat(steps: Steps): Promise<Stat | undefined> {
    if (this.mounts.isAbove(steps)) return VIRTUAL_DIRECTORY;
    const found = await this.mounts.at(steps, ({ folder }, below) => folder.stat(below));
    return found ?? (this.mounts.below(steps).length > 0 ? VIRTUAL_DIRECTORY : undefined);
  }

  async #list(steps: Steps): Promise<FileEntry[]> {
    const entries = new Map<string, FileEntry>();
    const mounts = this.mounts.below(steps);
    if (!this.mounts.isAbove(steps)) {
      const listed = await this.mounts.at(steps, async ({ folder }, below) =>
        mounts.length > 0 && !(await folder.stat(below)) ? [] : folder.list(below),
      );
      for (const one of listed) entries.set(one.name, entry(one, [...steps, one.name]));
    }
    for (const { at } of mounts) {
      const name = at[steps.length];
      if (name !== undefined) entries.set(name, entry(VIRTUAL_DIRECTORY, [...steps, name]));
    }
    return [...entries.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
}

const VIRTUAL_DIRECTORY: Stat = { kind: 'directory', size: 0, mode: 0o755, modified: new Date(0) };

function entry({ kind, size, mode, modified }: Stat, steps: Steps): FileEntry {
  return { name: steps.at(-1) ?? '', path: pathOf(steps), kind, size, mode, modified };
}

function checkNumber(what: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new ContextFailure(
    'INVALID_ARGUMENTS',
    `Expected ${what} to be a whole number, 0 or more, got ${String(value)}`,
  );
}

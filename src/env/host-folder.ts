import { closeSync, constants, openSync, realpathSync, statSync } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, readlink, rename, rmdir, unlink } from 'node:fs/promises';
import { LinkFound, FolderError } from './folder.ts';
import type { Folder, OpenFile, Stat } from './folder.ts';
import { ignoring, hidingHostErrors } from './host-errors.ts';
import { readFrom, syncDirectory, writeAll } from './host-io.ts';
import { checkedFile, directory, file, replaceable, statOf } from './host-entry.ts';
import type { HostEntry } from './host-entry.ts';
import { TEMPORARY } from './virtual-path.ts';
import type { Steps } from './virtual-path.ts';

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Linux: a descriptor that only identifies a file. Opening a device with it has no side effects. */
const O_PATH = 0o10000000;

export interface HostFolderOptions {
  /**
   * Whether to hold a descriptor of every folder on a path, so that nobody can replace it between check and use.
   * Linux only, and the default there. Without it, each step is checked and then used by name.
   */
  readonly held?: boolean;
}

/** A folder of the host. Throws if there is none. */
export function hostFolder(path: string, { held = process.platform === 'linux' }: HostFolderOptions = {}): Folder {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`Not a folder: ${path}`);
  const top = openSync(path, O_DIRECTORY | (held ? O_PATH : O_RDONLY));
  const real = realpathSync(path);
  if (held && statSync(descriptor(top), { throwIfNoEntry: false })) return new HostFolder(real, descriptor(top), held);
  closeSync(top);
  if (!held) return new HostFolder(real, real, held);
  // Falling back to names would silently weaken the containment.
  throw new Error(
    `Cannot mount ${path}: /proc is not mounted, and containment needs it; mount it (mount -t proc proc /proc), or use ` +
      'hostFolder(path, { held: false }) if no other process changes the folder',
  );
}

const descriptor = (fd: number) => `/proc/self/fd/${fd}`;

class HostFolder implements Folder {
  /** `top` leads to the folder even after it was moved. Absolute links must point below `real`. */
  constructor(
    private readonly real: string,
    private readonly top: string,
    private readonly held: boolean,
  ) {}

  stat(steps: Steps): Promise<Stat | undefined> {
    return this.#at(steps, async (entry) => entry && statOf(entry.stats)).catch((error: unknown) => {
      if (error instanceof FolderError && error.what === 'missing') return undefined;
      throw error;
    });
  }

  list(steps: Steps): Promise<(Stat & { readonly name: string })[]> {
    return this.#at(steps, async (found) => {
      const { path } = directory(found);
      const names = (await readdir(path)).filter((name) => !name.startsWith(TEMPORARY));
      const stats = names.map((name) => lstat(`${path}/${name}`).then(statOf, ignoring('ENOENT')));
      return (await Promise.all(stats)).flatMap((stat, i) => (stat ? [{ name: names[i]!, ...stat }] : []));
    });
  }

  open(steps: Steps): Promise<OpenFile> {
    return this.#at(steps, async (found) => {
      const handle = await open(file(found).path, O_RDONLY | O_NONBLOCK | this.#noFollow);
      try {
        const { size } = checkedFile(await handle.stat());
        return { size, read: readFrom(handle), close: () => handle.close() };
      } catch (error) {
        await handle.close();
        throw error;
      }
    });
  }

  write(steps: Steps, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    return this.#at(steps, async (old, parent, name) => {
      if (old) replaceable(old);
      const temporary = `${parent}/${TEMPORARY}${crypto.randomUUID()}`;
      const handle = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
      try {
        try {
          if (old) await handle.chmod(old.stats.mode & 0o777);
          for await (const part of content) await writeAll(handle, part);
          await handle.sync();
        } finally {
          await handle.close();
        }
        // rename replaces a link that somebody put there meanwhile; it does not follow it.
        await rename(temporary, `${parent}/${name}`);
      } catch (error) {
        await unlink(temporary).catch(() => {});
        throw error;
      }
      await syncDirectory(parent);
    });
  }

  append(steps: Steps, data: Uint8Array): Promise<void> {
    return this.#at(steps, async (found, parent, name) => {
      const handle = found
        ? await open(file(found).path, O_WRONLY | O_APPEND | O_NONBLOCK | this.#noFollow)
        : await open(`${parent}/${name}`, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666).catch(
            ignoring('EEXIST'),
          );
      if (!handle) return this.append(steps, data); // another process was first
      try {
        checkedFile(await handle.stat());
        await writeAll(handle, data);
      } finally {
        await handle.close();
      }
    });
  }

  remove(steps: Steps, recursive: boolean): Promise<void> {
    return this.#at(
      steps,
      async (entry, parent, name) => {
        if (!entry) throw new FolderError('missing');
        if (!entry.stats.isDirectory()) return unlink(`${parent}/${name}`);
        if (recursive) await this.#empty(entry);
        return rmdir(`${parent}/${name}`);
      },
      'link itself',
    );
  }

  async #empty({ path }: HostEntry): Promise<void> {
    for (const name of await readdir(path)) {
      await this.#enter(path, name, async (entry) => {
        if (!entry?.stats.isDirectory()) return unlink(`${path}/${name}`).catch(ignoring('ENOENT'));
        await this.#empty(entry);
        return rmdir(`${path}/${name}`);
      });
    }
  }

  chmod(steps: Steps, mode: number): Promise<void> {
    return this.#at(steps, async (found) => {
      const { path } = found?.stats.isDirectory() ? found : file(found);
      if (this.held) return chmod(path, mode);
      const handle = await open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
      return handle.chmod(mode).finally(() => handle.close());
    });
  }

  makeDirectory(steps: Steps): Promise<void> {
    return this.#at(steps, async (found, parent, name) => {
      if (found) directory(found);
      else await mkdir(`${parent}/${name}`).catch(ignoring('EEXIST'));
    });
  }

  /** By parent and name: every write creates a new file with the same name. */
  identify(steps: Steps): Promise<string> {
    return this.#at(steps, async (_found, parent, name) => {
      const { dev, ino } = await lstat(`${parent}/.`);
      return `${dev}:${ino}/${name}`;
    });
  }

  /** A held path is a link in /proc that must be followed. Any other path must not be a link. */
  get #noFollow(): number {
    return this.held ? 0 : O_NOFOLLOW;
  }

  /** Walks the path step by step, and calls `work` at its end; with undefined if only the last step is missing. */
  async #at<T>(
    steps: Steps,
    work: (entry: HostEntry | undefined, parent: string, name: string) => Promise<T>,
    last: 'follow' | 'link itself' = 'follow',
  ): Promise<T> {
    const go = (parent: string, index: number): Promise<T> => {
      const name = steps[index]!;
      return this.#enter(parent, name, async (entry) => {
        const isLast = index === steps.length - 1;
        if (entry?.stats.isSymbolicLink() && !(isLast && last === 'link itself')) {
          throw new LinkFound(this.#targetOf(await readlink(`${parent}/${name}`), steps, index));
        }
        return isLast ? work(entry, parent, name) : go(directory(entry).path, index + 1);
      });
    };
    return hidingHostErrors(async () => {
      if (steps.length > 0) return go(this.top, 0);
      return work({ path: this.top, stats: await lstat(`${this.top}/.`) }, this.top, '.');
    });
  }

  async #enter<T>(parent: string, name: string, work: (entry: HostEntry | undefined) => Promise<T>): Promise<T> {
    const path = `${parent}/${name}`;
    if (!this.held) {
      const stats = await lstat(path).catch(ignoring('ENOENT'));
      return work(stats && { path, stats });
    }
    const handle = await open(path, O_PATH | O_NOFOLLOW).catch(ignoring('ENOENT'));
    try {
      return await work(handle && { path: descriptor(handle.fd), stats: await handle.stat() });
    } finally {
      await handle?.close();
    }
  }

  /** The target of a link below this folder; undefined if it is outside. */
  #targetOf(target: string, steps: Steps, index: number): Steps | undefined {
    const isAbsolute = target.startsWith('/');
    const within = this.real === '/' ? '/' : `${this.real}/`;
    if (isAbsolute && target !== this.real && !target.startsWith(within)) return undefined;
    const to = isAbsolute ? [] : steps.slice(0, index);
    for (const name of (isAbsolute ? target.slice(this.real.length) : target).split('/')) {
      if (name === '..' && to.pop() === undefined) return undefined;
      if (name !== '' && name !== '.' && name !== '..') to.push(name);
    }
    return [...to, ...steps.slice(index + 1)];
  }
}

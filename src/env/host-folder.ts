import { closeSync, constants, openSync, realpathSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, readlink, rename, rmdir, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { FileKind } from '../core/files.ts';
import { Detour, Trouble } from './folder.ts';
import type { Folder, OpenFile, Stat } from './folder.ts';
import { TEMPORARY } from './virtual-path.ts';
import type { Steps } from './virtual-path.ts';

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Linux: a descriptor that only says which file is meant. Opening a device so does nothing to it. */
const O_PATH = 0o10000000;

export interface HostFolderOptions {
  /**
   * Whether every step is held by a descriptor, so that nothing can be put in its place between looking and using.
   * Linux only, and the default there. Elsewhere each step is looked at, and used by its name right after.
   */
  readonly held?: boolean;
}

/** A folder of the host. Throws when there is none of that name. */
export function hostFolder(path: string, { held = process.platform === 'linux' }: HostFolderOptions = {}): Folder {
  const top = openSync(path, O_DIRECTORY | (held ? O_PATH : O_RDONLY));
  const real = realpathSync(path);
  if (held) return new HostFolder(real, descriptor(top), held);
  closeSync(top);
  return new HostFolder(real, real, held);
}

const descriptor = (fd: number) => `/proc/self/fd/${fd}`;

/** Something that was reached. Below `path` its children are found, whatever has become of its name. */
interface Spot {
  readonly path: string;
  readonly stats: Stats;
}

class HostFolder implements Folder {
  /** `top` leads to the folder, even if it is moved; `real` is where links may lead. */
  constructor(
    private readonly real: string,
    private readonly top: string,
    private readonly held: boolean,
  ) {}

  stat(steps: Steps): Promise<Stat | undefined> {
    return this.#at(steps, async (spot) => spot && statOf(spot.stats)).catch((error: unknown) => {
      if (error instanceof Trouble && error.what === 'missing') return undefined;
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
        // Replaces a link that was put there meanwhile, instead of following it.
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
      async (spot, parent, name) => {
        if (!spot) throw new Trouble('missing');
        if (!spot.stats.isDirectory()) return unlink(`${parent}/${name}`);
        if (recursive) await this.#empty(spot);
        return rmdir(`${parent}/${name}`);
      },
      'link itself',
    );
  }

  async #empty({ path }: Spot): Promise<void> {
    for (const name of await readdir(path)) {
      await this.#entering(path, name, async (spot) => {
        if (!spot?.stats.isDirectory()) return unlink(`${path}/${name}`).catch(ignoring('ENOENT'));
        await this.#empty(spot);
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

  /** A held path is a link of /proc to the very file, and to be followed; any other must not be a link. */
  get #noFollow(): number {
    return this.held ? 0 : O_NOFOLLOW;
  }

  /** Goes there step by step, and works on what is there; undefined when only the last step is missing. */
  async #at<T>(
    steps: Steps,
    work: (spot: Spot | undefined, parent: string, name: string) => Promise<T>,
    last: 'follow' | 'link itself' = 'follow',
  ): Promise<T> {
    const go = (parent: string, index: number): Promise<T> => {
      const name = steps[index]!;
      return this.#entering(parent, name, async (spot) => {
        const isLast = index === steps.length - 1;
        if (spot?.stats.isSymbolicLink() && !(isLast && last === 'link itself')) {
          throw new Detour(this.#behind(await readlink(`${parent}/${name}`), steps, index));
        }
        return isLast ? work(spot, parent, name) : go(directory(spot).path, index + 1);
      });
    };
    return inWords(async () => {
      if (steps.length > 0) return go(this.top, 0);
      return work({ path: this.top, stats: await lstat(`${this.top}/.`) }, this.top, '.');
    });
  }

  async #entering<T>(parent: string, name: string, work: (spot: Spot | undefined) => Promise<T>): Promise<T> {
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

  /** Where a link leads below this folder; undefined when it leads out of it. */
  #behind(target: string, steps: Steps, index: number): Steps | undefined {
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

function directory(spot: Spot | undefined): Spot {
  if (!spot) throw new Trouble('missing');
  if (!spot.stats.isDirectory()) throw new Trouble('notDirectory');
  return spot;
}

function file(spot: Spot | undefined): Spot {
  if (!spot) throw new Trouble('missing');
  replaceable(spot);
  checkedFile(spot.stats);
  return spot;
}

/** A file may be replaced even if it has other names: they keep what they had. */
function replaceable({ stats }: Spot): void {
  if (stats.isDirectory()) throw new Trouble('directory');
  if (!stats.isFile()) throw new Trouble('notFile');
}

/** A name within the mount may be the second name of a file outside of it. */
function checkedFile(stats: Stats): Stats {
  if (!stats.isFile()) throw new Trouble('notFile');
  if (stats.nlink > 1) throw new Trouble('manyNames');
  return stats;
}

function statOf(stats: Stats): Stat {
  const kind = kindOf(stats);
  return { kind, size: kind === 'file' ? stats.size : 0, mode: stats.mode & 0o777, modified: stats.mtime };
}

function kindOf(stats: Stats): FileKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

/** More than a gibibyte at once is more than Node can ask the system for, and ends the process where it is tried. */
const MOST = 2 ** 30;

function readFrom(handle: FileHandle): OpenFile['read'] {
  return (offset, length) =>
    inWords(async () => {
      if (length > MOST) throw new Trouble('tooLarge');
      const buffer = Buffer.allocUnsafe(length);
      let at = 0;
      while (at < length) {
        const { bytesRead } = await handle.read(buffer, at, length - at, offset + at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      return new Uint8Array(buffer.buffer, buffer.byteOffset, at);
    });
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten;
}

/** Else a new name could be lost in a power cut. Not every file system can; there the file is safe, its name is not. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, O_RDONLY | O_DIRECTORY);
  await handle
    .sync()
    .catch(() => {})
    .finally(() => handle.close());
}

function ignoring(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
    return undefined;
  };
}

const TROUBLES: Record<string, ConstructorParameters<typeof Trouble>[0]> = {
  ENOENT: 'missing',
  ENOTDIR: 'notDirectory',
  EISDIR: 'directory',
  ENOTEMPTY: 'notEmpty',
  EEXIST: 'changed',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'readOnly',
  ENAMETOOLONG: 'tooLong',
  ELOOP: 'loop',
  ENOSPC: 'full',
  EDQUOT: 'full',
  ENXIO: 'notFile',
  // What was a link a moment ago is none now.
  EINVAL: 'changed',
};

/** The host's words hold its paths; ours do not. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new Trouble(TROUBLES[String(error.code)] ?? 'broken');
  }
}

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** A project that no image can be made of, in words for the person whose project it is. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';
}

/** What `npm ci` needs in order to install a project. */
export interface Install {
  /** Copied before the sources, so that a change of those does not install anew. */
  readonly files: readonly string[];
  /** Whether it needs the sources as well. */
  readonly needsSources: boolean;
  /** Whether the project configures npm, with secrets perhaps. */
  readonly hasNpmrc: boolean;
}

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string; readonly link?: boolean }>>;
}

/**
 * Looks at a project's folder. Without a lock it refuses: an image whose parts are chosen while it is built is another
 * one each time, and not the one that was tried.
 */
export async function readInstall(folder: string): Promise<Install> {
  const manifest = await readJson<Manifest>(folder, 'package.json');
  if (!manifest) throw new ProjectError('There is no package.json here; run this in the folder of the project');
  const locks = ['npm-shrinkwrap.json', 'package-lock.json'];
  for (const name of locks) {
    const lock = await readJson<Lock>(folder, name);
    if (lock) return installOf(manifest, name, lock.packages ?? {}, existsSync(join(folder, '.npmrc')));
  }
  throw new ProjectError('There is no package-lock.json here; make one with: npm install --package-lock-only');
}

function installOf(
  manifest: Manifest,
  lock: string,
  packages: NonNullable<Lock['packages']>,
  hasNpmrc: boolean,
): Install {
  for (const [name, install] of Object.entries(NEEDED)) {
    if (!packages[`node_modules/${name}`])
      throw new ProjectError(`${name} is not in ${lock}; add it with: npm install ${install}`);
  }
  const local = Object.values(packages).flatMap(({ resolved = '', link }) => {
    if (link) return [posix.normalize(`${resolved}/`)];
    return resolved.startsWith('file:') ? [posix.normalize(resolved.slice('file:'.length))] : [];
  });
  const outside = local.find((path) => path.startsWith('..') || path.startsWith('/'));
  if (outside !== undefined)
    throw new ProjectError(
      `${lock} refers to ${outside}, outside of this folder, where docker cannot reach it; copy it into the project and install it from there`,
    );
  const hooks = Object.keys(manifest.scripts ?? {}).filter((name) => HOOKS.has(name));
  return {
    files: ['package.json', lock, ...local.filter(isPlainFile)],
    needsSources: hooks.length > 0 || !local.every(isPlainFile),
    hasNpmrc,
  };
}

/** What `everywire build` runs on, and how it is installed. */
const NEEDED = { everywire: 'everywire', rolldown: '--save-dev rolldown' };

/** Scripts of a project that `npm ci` runs, which may need anything. */
const HOOKS = new Set(['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']);

/** A tarball whose name means nothing else to COPY, which reads `$` and `*`; a workspace is no file. */
function isPlainFile(path: string): boolean {
  return /^[\w@+][\w@+./-]*[\w]$/.test(path);
}

async function readJson<T>(folder: string, name: string): Promise<T | undefined> {
  const text = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new ProjectError(`${name} cannot be read (${error.code})`);
  });
  try {
    return text === undefined ? undefined : (JSON.parse(text) as T);
  } catch {
    throw new ProjectError(`${name} is not JSON`);
  }
}

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** Why no image can be built from a project. The message is for the user. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';
}

/** What `npm ci` needs to install a project. */
export interface Install {
  /** Copied before the sources, so that changing them does not reinstall everything. */
  readonly files: readonly string[];
  /** Whether `npm ci` needs the sources as well. */
  readonly needsSources: boolean;
  /** Whether the project has an .npmrc, which may contain secrets. */
  readonly hasNpmrc: boolean;
}

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string; readonly link?: boolean }>>;
}

/** Reads a project. Requires a lock file: without one, every build of the image may install other versions. */
export async function readInstall(folder: string, isPlain: boolean): Promise<Install> {
  const manifest = await readJson<Manifest>(folder, 'package.json');
  if (!manifest) throw new ProjectError('No package.json here; run this in the folder of the project');
  const locks = ['npm-shrinkwrap.json', 'package-lock.json'];
  for (const name of locks) {
    const lock = await readJson<Lock>(folder, name);
    if (!lock) continue;
    const packages = lock.packages ?? {};
    refuseMissing(packages, name, isPlain ? { ...NEEDED, ...NEEDED_TO_READ } : NEEDED);
    return installOf(manifest, name, packages, existsSync(join(folder, '.npmrc')));
  }
  throw new ProjectError('No package-lock.json here; create one with: npm install --package-lock-only');
}

function installOf(
  manifest: Manifest,
  lock: string,
  packages: NonNullable<Lock['packages']>,
  hasNpmrc: boolean,
): Install {
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

function refuseMissing(
  packages: NonNullable<Lock['packages']>,
  lock: string,
  needed: Readonly<Record<string, string>>,
): void {
  for (const [name, install] of Object.entries(needed)) {
    if (!packages[`node_modules/${name}`])
      throw new ProjectError(`${name} is not in ${lock}; add it with: npm install ${install}`);
  }
}

/** The packages that `everywire build` needs, and the arguments that install them. */
const NEEDED = { everywire: 'everywire', rolldown: '--save-dev rolldown' };

/** What it needs for plain modules as well. */
const NEEDED_TO_READ = { typescript: '--save-dev typescript' };

/** Scripts that `npm ci` runs, which may need any source file. */
const HOOKS = new Set(['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']);

/** A tarball whose name has no characters with a meaning in COPY, such as `$` and `*`. A workspace is not a file. */
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

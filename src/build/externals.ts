import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Plugin } from 'rolldown';
import { ModuleError } from '../load/module-error.ts';
import { readsOwnFiles, SELF_REFERENCE } from './own-files.ts';

/** A package that stays outside of a built file, which finds it in node_modules. */
export interface External {
  readonly name: string;
  readonly version: string | undefined;
  readonly reason: string;
  /** Where it is installed. */
  readonly folder: string | undefined;
  /** Whether the packages that use it work without it. */
  readonly isOptional: boolean;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly gypfile?: boolean;
  readonly binary?: unknown;
  readonly napi?: unknown;
  readonly os?: unknown;
  readonly cpu?: unknown;
}

interface Package {
  readonly folder: string;
  readonly name: string;
  readonly manifest: Manifest;
}

const NATIVE = 'native code';
const OWN_FILES = 'reads its own files';

/** Packages that look for the native code of the package that depends on them. */
const NATIVE_LOADERS = [
  'bindings',
  'node-gyp-build',
  'node-gyp-build-optional-packages',
  'node-pre-gyp',
  '@mapbox/node-pre-gyp',
  'pkg-prebuilds',
  'prebuild-install',
];

/**
 * Finds the packages that cannot be part of a bundle: native code, and files that a package looks for beside its own code.
 * Which ones these are is known after a bundle was made; `settle` then says whether another one is needed.
 */
export class Externals {
  readonly #module: string;
  readonly #chosen: readonly string[];
  /** The app and everywire itself, whose files are bundled whatever they do. */
  readonly #own: ReadonlySet<string | undefined>;
  readonly #packages = new Map<string, Package | undefined>();
  readonly #outside = new Map<string, External>();
  /** Why packages of the last bundle cannot be in it, by folder. */
  readonly #reasons = new Map<string, string>();
  readonly #importers = new Map<string, Set<Package>>();
  /** External packages that the last bundle imports. */
  readonly #ids = new Set<string>();
  /** Why the app cannot be built. Not thrown at once: the bundler would add its own words. */
  #refusal: string | undefined;

  constructor(module: string, home: string, chosen: readonly string[]) {
    this.#module = module;
    this.#chosen = chosen;
    this.#own = new Set([realpathSync(home), this.#packageOf(realpathSync(module))?.folder]);
  }

  get all(): readonly External[] {
    return [...this.#outside.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** For one bundle. */
  plugin(): Plugin {
    this.#reasons.clear();
    this.#importers.clear();
    this.#ids.clear();
    const names = [...this.#chosen, ...this.all.map(({ name }) => name)];
    const external = this.#externalId.bind(this);
    const note = this.#note.bind(this);
    const collect = this.#collect.bind(this);
    return {
      name: 'everywire:externals',
      resolveId: {
        filter: { id: new RegExp(`^(?:${names.map(escapePattern).join('|') || '(?!)'})(?:/|$)`) },
        async handler(id, importer) {
          const found = await this.resolve(id, importer, { skipSelf: true });
          return external(id, found?.id) ? { id, external: true } : undefined;
        },
      },
      load: {
        filter: { id: /\.node$/ },
        handler(id) {
          note(id, NATIVE);
          return { code: 'module.exports = {};', moduleType: 'js' };
        },
      },
      transform: {
        filter: { code: SELF_REFERENCE },
        handler(code, id) {
          if (readsOwnFiles(code, id)) note(id, OWN_FILES);
        },
      },
      buildEnd() {
        collect([...this.getModuleIds()], (id) => {
          const info = this.getModuleInfo(id);
          return [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])];
        });
      },
    };
  }

  /** Leaves the packages outside that the last bundle cannot contain. Returns whether there are any. */
  settle(): boolean {
    if (this.#refusal !== undefined) throw new ModuleError(this.#refusal);
    const found = [...this.#reasons].map(([folder, reason]) => [this.#packageIn(folder)!, reason] as const);
    const isUsedOutside = ([{ folder }]: (typeof found)[number]) =>
      ![...(this.#importers.get(folder) ?? [])].every((importer) => this.#reasons.has(importer.folder));
    // Packages that only externals import stay outside with them.
    const first = found.filter(isUsedOutside);
    for (const [one, reason] of first.length > 0 ? first : found) this.#leave(one, reason, new Set());
    if (found.length > 0) return true;
    const unknown = this.#chosen.find((name) => ![...this.#ids].some((id) => isIn(id, name)));
    if (unknown !== undefined)
      throw new ModuleError(`--external ${unknown}: ${relative('', this.#module)} imports no such package`);
    return false;
  }

  /** Whether one of them can only be imported, and not required. */
  get areOnlyImportable(): boolean {
    const { resolve } = createRequire(this.#module);
    return [...this.#ids].some((id) => {
      try {
        resolve(id);
        return false;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
      }
    });
  }

  /** A built file finds its packages from its own folder, so a nested one needs the package around it. */
  #leave(one: Package, reason: string, visited: Set<string>): void {
    if (this.#outside.has(one.folder) || visited.has(one.folder)) return;
    visited.add(one.folder);
    const importers = [...(this.#importers.get(one.folder) ?? [])];
    const isOptional =
      one.manifest.os === undefined &&
      one.manifest.cpu === undefined &&
      importers.length > 0 &&
      importers.every(({ manifest }) => manifest.optionalDependencies?.[one.name] !== undefined);
    const { name, folder } = one;
    if (isOptional || findInstalled(name, dirname(this.#module)) === folder) {
      this.#outside.set(folder, { name, version: one.manifest.version, folder, reason, isOptional });
      return;
    }
    const packages = importers.filter((importer) => !this.#own.has(importer.folder));
    if (packages.length === 0)
      throw new ModuleError(
        `${name} cannot be in a build (${reason}), and is not in a node_modules of ${relative('', this.#module)}; install it in the project`,
      );
    for (const importer of packages) this.#leave(importer, `uses ${name}: ${reason}`, visited);
  }

  #externalId(id: string, resolved: string | undefined): boolean {
    const found = resolved === undefined ? undefined : this.#packageOf(resolved);
    const name = this.#chosen.find((one) => isIn(id, one));
    const isKnown = found !== undefined && this.#outside.has(found.folder);
    if (isKnown || name !== undefined) this.#ids.add(id);
    if (isKnown || name === undefined) return isKnown;
    const { folder, manifest } = found ?? {};
    if (folder !== undefined && this.#own.has(folder)) this.#refusal ??= `${name} cannot be outside of a build`;
    this.#outside.set(folder ?? name, {
      name,
      version: manifest?.version,
      folder,
      reason: '--external',
      isOptional: false,
    });
    return true;
  }

  #note(id: string, reason: string): void {
    const found = this.#packageOf(id);
    if (found && !this.#own.has(found.folder)) {
      if (!WORKS_IN_BUNDLES.has(found.name)) this.#reasons.set(found.folder, reason);
    } else if (reason === NATIVE)
      this.#refusal ??= `${relative('', id)} is native code, which a build cannot contain; put it into a package of its own`;
  }

  #collect(ids: readonly string[], importersOf: (id: string) => readonly string[]): void {
    for (const id of ids) {
      const one = this.#packageOf(id);
      if (!one || this.#own.has(one.folder)) continue;
      if (!this.#importers.has(one.folder)) {
        this.#importers.set(one.folder, new Set());
        if (isNative(one)) this.#reasons.set(one.folder, NATIVE);
      }
      for (const importer of importersOf(id)) {
        const other = this.#packageOf(importer);
        if (other !== one) this.#importers.get(one.folder)!.add(other ?? NO_PACKAGE);
      }
    }
  }

  /** The package that contains a file. */
  #packageOf(id: string): Package | undefined {
    const folder = dirname(id.replace(/\?.*$/, ''));
    if (id.startsWith('\0') || folder === '.') return undefined;
    return this.#packageIn(folder);
  }

  #packageIn(folder: string): Package | undefined {
    if (this.#packages.has(folder)) return this.#packages.get(folder);
    const manifest = readManifest(folder);
    const parent = dirname(folder);
    // A package.json without a name is inside of a package, and only says how its files are loaded.
    const found =
      manifest?.name !== undefined
        ? { folder, name: manifest.name, manifest }
        : parent === folder || basename(folder) === 'node_modules'
          ? undefined
          : this.#packageIn(parent);
    this.#packages.set(folder, found);
    return found;
  }
}

const isIn = (id: string, name: string) => id === name || id.startsWith(`${name}/`);

/** Importers that belong to no package, such as the entry of a build. */
const NO_PACKAGE: Package = { folder: '', name: '', manifest: {} };

/** Optional packages of everywire: what they look for beside themselves is for features that it does not use. */
const WORKS_IN_BUNDLES = new Set(['bullmq']);

function isNative({ folder, manifest }: Package): boolean {
  const { dependencies = {}, optionalDependencies = {} } = manifest;
  const isForPlatform = (name: string) => {
    const found = findInstalled(name, folder);
    const { os, cpu } = (found !== undefined && readManifest(found)) || {};
    return os !== undefined || cpu !== undefined;
  };
  return (
    manifest.gypfile === true ||
    [manifest.binary, manifest.napi].some((one) => typeof one === 'object') ||
    ['binding.gyp', 'prebuilds'].some((name) => existsSync(join(folder, name))) ||
    NATIVE_LOADERS.some((name) => name in dependencies) ||
    Object.keys(optionalDependencies).some(isForPlatform)
  );
}

/** The folder of a package as Node finds it from another folder. */
export function findInstalled(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return realpathSync(found);
    if (dirname(folder) === folder) return undefined;
  }
}

function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** In a node_modules that `copyExternals` wrote, and may replace. */
const MARK = '.everywire-build';

/**
 * Copies packages and what they depend on into the node_modules of a folder, as they are installed: the same versions, with their
 * native code. Replaces an earlier copy as a whole, and nothing else.
 */
export function copyExternals(externals: readonly External[], folder: string): void {
  const target = join(folder, 'node_modules');
  if (existsSync(target) && !existsSync(join(target, MARK)))
    throw new ModuleError(
      `${relative('', target)} exists and is not a copy of a build; choose another folder with --out`,
    );
  const fresh = `${target}-${crypto.randomUUID()}`;
  try {
    const placed = placeAll(externals);
    for (const [path, source] of placed)
      cpSync(source, join(fresh, path), {
        recursive: true,
        dereference: true,
        filter: (file) => file === source || !file.slice(source.length).split(sep).includes('node_modules'),
      });
    rmSync(target, { recursive: true, force: true });
    if (placed.size === 0) return;
    mkdirSync(fresh, { recursive: true });
    writeFileSync(join(fresh, MARK), 'Written by everywire build --copy-externals, which replaces this folder.\n');
    renameSync(fresh, target);
  } catch (error) {
    throw new ModuleError(`${relative('', target)} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Where each package goes, and from where. At the top, unless another version is there already. */
function placeAll(externals: readonly External[]): ReadonlyMap<string, string> {
  const placed = new Map<string, string>();
  const installed = externals.flatMap(({ name, folder }) => (folder === undefined ? [] : [[name, folder] as const]));
  for (const [name, folder] of installed) placed.set(name, folder);
  // A map is iterated in the order in which entries are added: all dependencies of a package are placed before theirs.
  for (const [path, source] of placed) {
    const { dependencies, optionalDependencies, peerDependencies } = readManifest(source) ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found = findInstalled(name, source);
      if (found === undefined) continue; // optional
      const visible = visibleFrom(path, name).find((one) => placed.has(one));
      if (visible === undefined) placed.set(name, found);
      else if (placed.get(visible) !== found) placed.set(join(path, 'node_modules', name), found);
    }
  }
  return placed;
}

/** The paths at which a package at `path` looks for another one, nearest first. */
function visibleFrom(path: string, name: string): string[] {
  const parts = path.split(`${sep}node_modules${sep}`);
  const nested = parts.map((_, i) =>
    join(parts.slice(0, i + 1).join(`${sep}node_modules${sep}`), 'node_modules', name),
  );
  return [...nested.toReversed(), name];
}

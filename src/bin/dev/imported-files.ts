import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Tsconfigs } from '../../load/typescript/tsconfig.ts';

/** Enough for a large project; a mistake must not walk through a whole disk. */
const MAX_FILES = 5000;
const MAX_SIZE = 2_000_000;

const SOURCES = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
const SOURCE = /\.(?:[cm]?[jt]sx?|json)$/;
const SPECIFIER = /(?:\bfrom|\bimport|\brequire|\bextends"\s*:)\s*\(?\s*(['"])([^'"\n]+)\1/g;
const IS_PATH = /^(?:\.{1,2}(?:\/|$)|\/)/;

/**
 * The files that modules or folders consist of, as their text says it: also those that are imported for their types only, those
 * that cannot be compiled, and all that an import which leads nowhere may mean. Packages are left out.
 */
export function importedFiles(entries: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const aliases = new Tsconfigs();
  for (const entry of entries) addEntry(resolve(entry), found);
  for (const path of found) {
    if (found.size > MAX_FILES) break;
    for (const [, , specifier = ''] of textOf(path).matchAll(SPECIFIER))
      for (const file of filesFor(pathsFor(specifier, path, aliases))) found.add(file);
  }
  return [...found];
}

/** A folder is watched for files that are added to it. Only those directly in it are served. */
function addEntry(path: string, found: Set<string>): void {
  found.add(path);
  for (const file of settingsAbove(path)) found.add(file);
  if (kindOf(path) === 'folder')
    for (const name of readdirSync(path)) if (SOURCE.test(name)) found.add(join(path, name));
}

/** What decides how a module is compiled: the nearest of each, and what would be nearer. */
function settingsAbove(path: string): readonly string[] {
  return ['tsconfig.json', 'package.json'].flatMap((name) => {
    const files: string[] = [];
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      files.push(join(folder, name));
      if (kindOf(files.at(-1)!) === 'file' || folder === dirname(folder)) return files;
    }
  });
}

/** Without endings. None for packages, unless `paths` of a tsconfig.json make a file of them. */
function pathsFor(specifier: string, importer: string, aliases: Tsconfigs): readonly string[] {
  if (IS_PATH.test(specifier)) return [resolve(dirname(importer), specifier)];
  if (specifier.startsWith('file:')) return [pathIn(specifier) ?? []].flat();
  return isBuiltin(specifier) ? [] : aliases.pathsFor(specifier, importer);
}

/** The file that an import means; all that it may mean, if there is none. */
function filesFor(paths: readonly string[]): readonly string[] {
  const candidates = paths.filter((path) => !isForeign(path)).flatMap(candidatesFor);
  const found = candidates.find((one) => kindOf(one) === 'file');
  return found === undefined ? candidates.filter((one) => kindOf(one) === undefined) : [found];
}

function candidatesFor(path: string): readonly string[] {
  const plain = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  return [
    path,
    ...(plain === path ? [] : [plain]),
    ...SOURCES.map((end) => path + end),
    ...SOURCES.map((end) => join(path, `index${end}`)),
  ];
}

function pathIn(url: string | undefined): string | undefined {
  try {
    return url && fileURLToPath(url);
  } catch {
    return undefined; // such as a file of another machine: loading the module says what is wrong with it
  }
}

/** Whether a file belongs to a package, or to everywire: nobody edits these while an app is served. */
export function isForeign(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path) || (OWN !== undefined && path.startsWith(OWN));
}

/** The folder of this package. */
const OWN = pathIn(/^(file:.*\/dist\/)chunks\/[^/]+$/.exec(import.meta.url)?.[1]);

function kindOf(path: string): 'file' | 'folder' | undefined {
  const found = existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (found?.isFile()) return 'file';
  return found?.isDirectory() ? 'folder' : undefined;
}

function textOf(path: string): string {
  try {
    return SOURCE.test(path) && statSync(path).size <= MAX_SIZE ? readFileSync(path, 'utf8') : '';
  } catch {
    return ''; // missing, or a folder
  }
}

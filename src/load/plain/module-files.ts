import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ModuleError } from '../module-error.ts';

/** Whether a path is a folder, whose modules are to be served. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The modules in a folder, by name: TypeScript that is neither a test nor a declaration, and not put aside with _ or a dot. */
export function modulesIn(folder: string, shown: string): readonly string[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && isServed(entry.name))
    .map(({ name }) => name)
    .toSorted();
  if (names.length === 0) throw new ModuleError(`${shown} has no .ts file to serve`);
  return names.map((name) => join(folder, name));
}

function isServed(name: string): boolean {
  return /^[^_.].*\.m?ts$/.test(name) && !/\.(?:d|test|spec|built|config)\.m?ts$/.test(name);
}

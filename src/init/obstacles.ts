import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Entries that a folder may have before a project is put into it. */
const HARMLESS: ReadonlySet<string> = new Set([
  '.DS_Store',
  '.editorconfig',
  '.git',
  '.gitattributes',
  '.idea',
  '.npmrc',
  '.vscode',
  'LICENSE',
]);

/** What is in the way of these files: other entries of the folder, or `true` if it is not a folder. */
export function obstaclesIn(folder: string, files: readonly string[] = []): readonly string[] | true {
  try {
    const others = readdirSync(folder).filter((name) => !HARMLESS.has(name));
    const inside = files.filter((file) => HARMLESS.has(file.split('/')[0]!) && exists(join(folder, file)));
    return [...others, ...inside];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') return true;
    throw error;
  }
}

/** Also a symbolic link that leads nowhere. */
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

import { existsSync, mkdirSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InitError } from './init-error.ts';

/**
 * Writes all files, or none: if one cannot be written, what was created so far is removed. Nothing is ever overwritten.
 * Synchronous, so that nothing else happens in between.
 */
export function writeProject(folder: string, files: Readonly<Record<string, string>>): void {
  const undo: (() => void)[] = [];
  let current = folder;
  try {
    createFolder(folder, undo);
    for (const [name, text] of Object.entries(files)) {
      current = join(folder, name);
      createFolder(dirname(current), undo);
      createFile(current, text, undo);
    }
  } catch (error) {
    for (const step of undo.toReversed()) attempt(step);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new InitError(`${current} cannot be written (${code}); nothing was created`);
  }
}

/** One folder after the other, since Node 20 does not return from a recursive mkdir below /proc. */
function createFolder(path: string, undo: (() => void)[]): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) createFolder(parent, undo);
  mkdirSync(path);
  undo.push(() => rmdirSync(path)); // keeps a folder in which somebody else has put something
}

function createFile(path: string, text: string, undo: (() => void)[]): void {
  // Also removes half a file; one that existed before is not ours.
  const remove = () => rmSync(path);
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') attempt(remove);
    throw error;
  }
  undo.push(remove);
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // What could not be created cannot be removed either.
  }
}

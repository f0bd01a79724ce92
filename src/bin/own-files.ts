import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isGenerated } from '../containers/generated.ts';
import { ProjectError } from '../containers/project.ts';

/** Writes files that are ours, or not there yet. If a person wrote one of them, none is written. */
export async function writeOwn(folder: string, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const name of Object.keys(texts)) {
    const there = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new ProjectError(`${name} cannot be read (${error.code})`);
    });
    if (there !== undefined && !isGenerated(there))
      throw new ProjectError(`${name} is there already, and not written by this command; move it away first`);
  }
  for (const [name, text] of Object.entries(texts)) {
    await writeWhole(join(folder, name), text).catch(({ code }: NodeJS.ErrnoException) => {
      throw new ProjectError(`${name} cannot be written (${code})`);
    });
  }
}

/** The whole text or nothing of it, whatever happens meanwhile. */
async function writeWhole(file: string, text: string): Promise<void> {
  const unfinished = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    await writeFile(unfinished, text, { flag: 'wx' });
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

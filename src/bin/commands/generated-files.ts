import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../build/write-whole.ts';
import { isGenerated } from '../../containers/generated.ts';
import { ProjectError } from '../../containers/project.ts';

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
  for (const [name, text] of Object.entries(texts)) await writeWhole(join(folder, name), text, 0o644);
}

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { ModuleError } from '../load/module-error.ts';
import { writeAtomically } from '../load/write-atomically.ts';

/** Writes a file atomically: a server may start it at any moment, and must not find half of it. An error names `shown`. */
export async function writeOutputFile(path: string, text: string, mode: number, shown = path): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeAtomically(path, text, mode);
  } catch (error) {
    throw new ModuleError(`${shown} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
}

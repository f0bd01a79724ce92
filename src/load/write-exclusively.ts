import { chmodSync, closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file whole or not at all: it may be read at any moment, and must never be found half written. The temporary name
 * cannot be guessed, and a file or link that has it already is an error: in a folder that others can write to, a link of
 * theirs would lead the text somewhere else.
 */
export function writeExclusively(path: string, text: string, mode: number): void {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  const file = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
    chmodSync(temporary, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

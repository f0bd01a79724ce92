import { chmodSync, closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file atomically: readers never see half of it. The temporary name cannot be guessed, and must not exist yet: in a
 * folder that other users can write to, a symbolic link could redirect the write.
 */
export function writeAtomically(path: string, text: string, mode: number): void {
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

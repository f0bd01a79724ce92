import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/** A folder that is removed after the tests of the file. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `everywire-${name}-`));
  folders.push(folder);
  return folder;
}

/** Called after each test file, and at the end of the run. */
export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

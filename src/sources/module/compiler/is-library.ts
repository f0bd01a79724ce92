import { posix } from 'node:path';

/** Whether a file is a library in the compiler's own folder, and changes with its version only. Others may have such names, too. */
export function isLibrary(path: string, folder: string): boolean {
  const file = path.replaceAll('\\', '/');
  // TypeScript 7 reports paths in lower case where the file system ignores case.
  return (
    /^lib\.[\w.]+\.d\.ts$/.test(posix.basename(file)) && posix.dirname(file).toLowerCase() === folder.toLowerCase()
  );
}

const LIBRARY = /\/node_modules\/(?:@typescript\/)?typescript[^/]*\/lib\/lib\.[\w.]+\.d\.ts$/;

/** Whether a file comes with the compiler, and changes with its version only. Others may have such names, too. */
export function isLibrary(path: string): boolean {
  return LIBRARY.test(path.replaceAll('\\', '/'));
}

import { fileURLToPath } from 'node:url';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The compilers that a project may have. */
export const compilers = [
  { version: '5.9', folder: folder('../node_modules/typescript-5.9') },
  { version: '6.0', folder: folder('../node_modules/typescript-6.0') },
  { version: '7.0', folder: folder('../../node_modules/typescript') },
];

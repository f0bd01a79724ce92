import { importJose } from '#optional';

export type Jose = typeof import('jose');

/** Loaded with the first token. */
export async function loadJose(): Promise<Jose> {
  return importJose().catch(() => {
    throw new Error('jwt needs a package: npm install jose');
  });
}

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { run } from '../wires/cli.ts';
import type { Ran } from '../kit/command.ts';

export const EVERYWIRE = resolve('dist/bin/everywire.js');

export interface Project {
  readonly folder: string;
  write(name: string, text: string): void;
  /** Runs `everywire` in the folder, with a cache of its own. */
  everywire(...args: readonly string[]): Promise<Ran>;
  /** The same, with variables. */
  with(env: Record<string, string>, ...args: readonly string[]): Promise<Ran>;
}

/** A folder with these files, where everywire and the packages that it is tested with are installed. */
export function project(files: Readonly<Record<string, string>>, compiler = 'node_modules/typescript'): Project {
  const folder = temporaryFolder('plain');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve(compiler), join(folder, 'node_modules/typescript'));
  for (const name of ['zod', 'rolldown'])
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  symlinkSync(resolve('.'), join(folder, 'node_modules/everywire'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const start = (env: Record<string, string>, args: readonly string[]) =>
    run([EVERYWIRE, ...args], undefined, { XDG_CACHE_HOME: join(folder, 'cache'), ...env }, folder);
  return { folder, write, everywire: (...args) => start({}, args), with: (env, ...args) => start(env, args) };
}

/** The first example of the README. */
export const MATH = `import type { int } from 'everywire';

/**
 * Adds two integers together
 * @param x First integer to add
 * @param y Second integer to add
 * @returns Sum of x and y
 */
export function Add(x: int, y: int): int {
  return x + y;
}
`;

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { run } from '../wires/cli.ts';
import { command, type Ran } from '../kit/command.ts';

export const EVERYWIRE = resolve('dist/bin/everywire.js');

export interface Project {
  readonly folder: string;
  write(name: string, text: string): void;
  /** Runs `everywire` in the folder, in this process. What modules import is loaded once. */
  everywire(...args: readonly string[]): Promise<Ran>;
  /** Runs it in a process, with variables and a cache of its own. */
  with(env: Record<string, string>, ...args: readonly string[]): Promise<Ran>;
}

/** A folder with these files, where everywire and the packages that it is tested with are installed. */
export function project(files: Readonly<Record<string, string>>, compiler = 'node_modules/typescript'): Project {
  const folder = temporaryFolder('plain', files);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve(compiler), join(folder, 'node_modules/typescript'));
  for (const name of ['zod', 'rolldown'])
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  symlinkSync(resolve('.'), join(folder, 'node_modules/everywire'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  return {
    folder,
    write,
    async everywire(...args) {
      const { XDG_CACHE_HOME: before } = process.env;
      const cwd = process.cwd();
      process.env['XDG_CACHE_HOME'] = join(folder, 'cache');
      process.chdir(folder); // messages name files as they are seen from there
      try {
        return await command(args, { cwd: folder });
      } finally {
        process.chdir(cwd);
        if (before === undefined) delete process.env['XDG_CACHE_HOME'];
        else process.env['XDG_CACHE_HOME'] = before;
      }
    },
    with: (env, ...args) =>
      run([EVERYWIRE, ...args], undefined, { XDG_CACHE_HOME: join(folder, 'cache'), ...env }, folder),
  };
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

const mixedApp = (module: string) => `import { createApp, defineFunction } from 'everywire';
import { fromModule } from 'everywire/node';
const own = defineFunction({ name: 'Own', description: 'Own', output: { type: 'integer', description: 'One' }, run: () => 1 });
const loud = async (call: unknown, next: () => Promise<any>) => { const outcome = await next(); return outcome.ok ? { ...outcome, data: outcome.data + 100 } : outcome; };
export default createApp({
  name: 'Mixed',
  version: '1.0.0',
  functions: [own, ...(await fromModule(${module}))],
  middleware: [loud],
  access: { authenticators: [], scopes: ['all'], local: { id: 'me', scopes: ['all', 'sums'] } },
});`;
/** An app with a function of its own, and with those of a plain module: by a path, or by a URL. */
export const MIXED = {
  'src/app.ts': mixedApp(`'./functions/math.ts'`),
  'src/functions/math.ts': MATH.replace(' */', ' * @scope sums\n */'),
  'src/url.ts': mixedApp(`new URL('./functions/math.ts', import.meta.url)`),
};

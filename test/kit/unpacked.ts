import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { shared } from './broker.ts';

/**
 * Unpacks the packed packages into the node_modules of a folder, with links to exactly the packages that they depend on, and to
 * others that the folder needs: what npm would install, without npm.
 */
export async function unpackInto(folder: string, ...others: readonly string[]): Promise<void> {
  const tarballs = await shared('packed');
  const modules = join(folder, 'node_modules');
  for (const [name, tarball] of [
    ['everywire', tarballs.everywire],
    ['create-everywire', tarballs.create],
  ] as const) {
    mkdirSync(join(modules, name), { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', join(modules, name), '--strip-components=1']);
  }
  const { dependencies } = JSON.parse(readFileSync(join(modules, 'everywire/package.json'), 'utf8')) as {
    dependencies: object;
  };
  for (const name of new Set([...Object.keys(dependencies), ...others])) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(modules, name));
  }
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../everywire/dist/bin/everywire.js', join(modules, '.bin/everywire'));
}

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { InitError } from './init-error.ts';

/** What package.json says about everywire: a path becomes one that leads there from the folder of the project. */
export function everywireSpec(spec: string, folder: string, resolve: (path: string) => string): string {
  if (!isPath(spec)) return spec;
  const path = resolve(spec.replace(/^file:/, ''));
  if (!existsSync(path)) throw new InitError(`--everywire: there is no ${path}`);
  return `file:${relative(realPath(resolve(folder)), realpathSync(path))
    .split(sep)
    .join('/')}`;
}

function isPath(spec: string): boolean {
  return /^(?:\.|\/|file:|[a-z]:[\\/])/i.test(spec) || /^[^:]*\.tgz$/.test(spec);
}

/** npm follows links before it resolves a path. The last parts of this one may not exist yet. */
function realPath(path: string): string {
  return existsSync(path) || dirname(path) === path
    ? realpathSync(path)
    : join(realPath(dirname(path)), basename(path));
}

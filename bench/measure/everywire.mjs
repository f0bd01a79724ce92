import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment, scratch } from './children.mjs';

const root = new URL('./', import.meta.resolve('everywire/package.json'));

export const packageFolder = fileURLToPath(root);
export const command = fileURLToPath(new URL('dist/bin/everywire.js', root));
export const contender = (path) => fileURLToPath(new URL(`../contenders/${path}`, import.meta.url));

/** One of our contenders as `everywire build` makes it, once a run. */
export function build(path, kind = 'cjs') {
  const out = join(scratch, path.replace(/\.\w+$/, `.built.${kind}`));
  if (existsSync(out)) return out;
  execFileSync(process.execPath, [command, 'build', contender(path), '--out', out], {
    env: environment,
    stdio: 'pipe',
    timeout: 60_000,
  });
  return out;
}

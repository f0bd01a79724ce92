import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Image } from './execute.ts';

const NAMESPACES = ['--mount', '--pid'];
// Private, since what is mounted must not be there when the folder is removed.
const UNSHARE = [...NAMESPACES, '--propagation=private', '--fork', '--kill-child'];

/** Whether this machine lets us make a container by hand. */
export const canContain =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', [...UNSHARE, 'true']).status === 0;

export interface Contained {
  readonly child: ChildProcessWithoutNullStreams;
  /** Its first process, as seen from outside. */
  firstProcess(): number;
  /** Runs something beside it, as docker does with a health check. Answers the exit code. */
  beside(words: readonly string[], env?: Readonly<Record<string, string>>): number | null;
}

/** What a base image has: the machine's own system, and Node.js. */
const BASE = ['usr', 'bin', 'lib', 'lib64', 'dev'];

// Everything but what is mounted below is read-only, as with `docker run --read-only`.
const CONTAIN = `set -e
root=$1 node=$2; shift 2
mount --bind "$root" "$root"
for folder in ${BASE.join(' ')}; do
  if [ -d "$root/$folder" ] && [ ! -L "$root/$folder" ]; then mount --bind -o ro "/$folder" "$root/$folder"; fi
done
mount --bind "$node" "$root/node/node"
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root"
exec "$@"`;

/** Starts an image as the first process of namespaces of its own, with its root, its user, and nothing to write to. */
export function contain(image: Image, args: readonly string[], env: Readonly<Record<string, string>> = {}): Contained {
  furnish(image.root);
  const inside = (words: readonly string[], more: Readonly<Record<string, string>>) => [
    'chroot',
    `--userspec=${image.uid}:${image.gid}`,
    image.root,
    'env',
    '-i',
    `--chdir=${image.cwd.slice(image.root.length)}`,
    'PATH=/node:/usr/bin:/bin',
    ...Object.entries({ ...image.env, ...more }).map(([name, value]) => `${name}=${value}`),
    ...words,
  ];
  const started = inside([...image.entrypoint, ...args], env);
  const child = spawn('unshare', [...UNSHARE, 'sh', '-c', CONTAIN, 'sh', image.root, process.execPath, ...started]);
  const firstProcess = () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'));
  return {
    child,
    firstProcess,
    beside: (words, more = {}) =>
      spawnSync('nsenter', [`--target=${firstProcess()}`, ...NAMESPACES, ...inside(words, { ...env, ...more })]).status,
  };
}

function furnish(root: string): void {
  if (existsSync(join(root, 'node'))) return;
  for (const folder of ['proc', 'node']) mkdirSync(join(root, folder));
  writeFileSync(join(root, 'node/node'), '');
  for (const folder of BASE.filter((name) => existsSync(`/${name}`))) {
    if (lstatSync(`/${folder}`).isSymbolicLink()) symlinkSync(readlinkSync(`/${folder}`), join(root, folder));
    else mkdirSync(join(root, folder));
  }
}

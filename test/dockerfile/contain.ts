import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Image } from './execute.ts';

const NAMESPACES = ['--mount', '--pid'];
// Private mounts, so that removing the folder does not remove what is mounted in it.
const UNSHARE = [...NAMESPACES, '--propagation=private', '--fork', '--kill-child'];

/** Whether this machine allows us to create namespaces. */
export const canContain =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', [...UNSHARE, 'true']).status === 0;

export interface Contained {
  readonly child: ChildProcessWithoutNullStreams;
  /** The process id of its first process, as seen from outside. */
  firstProcess(): number;
  /** Runs a command in the container, as docker does for a health check. Returns the exit code. */
  beside(words: readonly string[], env?: Readonly<Record<string, string>>): number | null;
}

/** The content of a base image: the system of this machine, and Node. */
const BASE = ['usr', 'bin', 'lib', 'lib64', 'dev'];

// Read-only except for the mounts below, like `docker run --read-only`.
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

/** Starts an image in its own namespaces, with its root and user, and a read-only file system. */
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

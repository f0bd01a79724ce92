import { execFile, spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { ParsedDockerfile, Step } from './parse.ts';

/** An image as a folder, and what docker would start in it. */
export interface Image {
  /** The root of the image. */
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
  readonly gid: number;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/** Runs a RUN step in a folder: its words, with paths of the image mapped to its folder. */
export type RunStep = (
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
) => Promise<unknown>;

/** Executes the steps of a Dockerfile without docker. Each stage gets an empty folder in `into`. */
export async function execute(
  { stages }: ParsedDockerfile,
  context: string,
  into: string,
  run: RunStep = runStep,
): Promise<Image> {
  let image: Image | undefined;
  for (const stage of stages) {
    const name = / AS (\w+)$/.exec(stage[0]?.text ?? '')?.[1] ?? 'final';
    image = await executeStage(stage.slice(1), context, into, name, run);
  }
  return image!;
}

async function executeStage(
  steps: readonly Step[],
  context: string,
  into: string,
  name: string,
  run: RunStep,
): Promise<Image> {
  const root = join(into, name);
  mkdirSync(root);
  const env: Record<string, string> = {};
  const found: Record<string, readonly string[]> = {};
  let [cwd, user = ''] = [root];
  for (const { keyword, flags, text, words = [], properties } of steps) {
    if (keyword === 'WORKDIR') mkdirSync((cwd = join(root, text)), { recursive: true });
    else if (keyword === 'ENV') Object.assign(env, properties);
    else if (keyword === 'USER') user = text;
    else if (keyword === 'RUN')
      await run(
        words.map((word) => (word.startsWith('/') ? join(root, word) : word)),
        cwd,
        env,
      );
    else if (keyword === 'COPY') {
      const from = flags['from'] === undefined ? context : join(into, flags['from']);
      for (const word of words.slice(0, -1)) copy(join(from, word), within(words.at(-1)!, root, cwd), from, context);
    } else if (['ENTRYPOINT', 'CMD', 'HEALTHCHECK'].includes(keyword)) found[keyword] = words;
    else if (!['LABEL', 'EXPOSE'].includes(keyword)) throw new Error(`unsupported instruction: ${keyword}`);
  }
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  const { ENTRYPOINT: entrypoint = [], CMD: command = [], HEALTHCHECK: healthCheck = [] } = found;
  return { root, cwd, env, uid, gid, entrypoint, command, healthCheck };
}

/** Maps a path of an image to its folder. */
function within(path: string, root: string, cwd: string): string {
  return path.startsWith('/') ? join(root, path) : join(cwd, path);
}

export const runStep: RunStep = ([program = '', ...args], cwd, env) =>
  promisify(execFile)(program, args, { cwd, env: { ...process.env, ...env } });

function copy(from: string, to: string, top: string, context: string): void {
  const isIgnored = top === context ? ignoring(context) : () => false;
  const isFolder = lstatSync(from).isDirectory();
  const target = !isFolder && to.endsWith('/') ? join(to, basename(from)) : to;
  cpSync(from, target, { recursive: true, filter: (path) => !isIgnored(relative(top, path)) });
  if (!isFolder) chmodSync(target, lstatSync(from).mode); // as docker keeps it
}

/** Supports the patterns that we generate: names, `*`, and a leading `**`. */
function ignoring(context: string): (path: string) => boolean {
  const patterns = readFileSync(join(context, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) =>
      line
        .replaceAll('.', String.raw`\.`)
        .replace(/^\*\*\//, '(?:.*/)?')
        .replaceAll(/(?<!\.)\*/g, '[^/]*'),
    )
    .map((pattern) => new RegExp(`^${pattern}(?:/|$)`));
  return (path) => patterns.some((pattern) => pattern.test(path));
}

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

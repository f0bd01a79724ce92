import { execFile } from 'node:child_process';
import { chmodSync, cpSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
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

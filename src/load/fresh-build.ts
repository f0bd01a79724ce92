import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { commit, version } from '../version.ts';
import { cacheFolder } from './cache-folder.ts';
import { digestOf } from './digest.ts';
import { COARSEST_TIME, stateOf } from './input-states.ts';
import { writeAtomically } from './write-atomically.ts';

/** The default output of `everywire build`, and the place where loadApp looks for the build of a module. */
export function defaultBuildPath(module: string): string {
  return `${module.replace(/\.[cm]?[jt]sx?$/, '')}.built.mjs`;
}

const MARK = '// everywire build ';
const MAKER = `${version} ${commit}`;

/** The line that marks a built file. Not a proof: anybody can write it. */
export const stamp = `${MARK}${MAKER}`;

/** Whether `everywire build` wrote a file. */
export function isBuilt(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(256);
      const [, line = ''] = bytes.toString('latin1', 0, readSync(file, bytes)).split('\n', 2);
      return line.startsWith(MARK);
    } finally {
      closeSync(file);
    }
  } catch {
    return false; // missing or unreadable
  }
}

/**
 * The inputs of a build, kept in the cache folder of the user who built it. A file next to the module would prove nothing:
 * an attacker who can replace the build could replace that file as well.
 */
interface BuildRecord {
  readonly maker: string;
  readonly build: string;
  readonly inputs: readonly (readonly [path: string, state: string, digest?: string])[];
}

/** Records a build for freshBuild. `began` is the time when it began. */
export function rememberBuild(module: string, inputs: readonly string[], began: number): void {
  const path = recordPath(module);
  if (path === undefined) return;
  try {
    rmSync(path, { force: true });
    const record = recordOf(module, inputs, began);
    if (!record) return;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeAtomically(path, JSON.stringify(record), 0o600);
  } catch {
    // The disk is full, or an input is not a file: the build is complete, but will not be used in place of the module.
  }
}

function recordOf(module: string, inputs: readonly string[], began: number): BuildRecord | undefined {
  const states = inputs.map((input) => ({ input, changed: statSync(input).ctimeMs, state: stateOf(input) }));
  // An input that changed during the build may differ from what was built.
  if (states.some(({ changed }) => changed >= began)) return undefined;
  return {
    maker: MAKER,
    build: stateOf(defaultBuildPath(module)),
    // A later change may have the same timestamp: then only a digest of the content shows it.
    inputs: states.map(({ input, changed, state }) =>
      changed >= began - COARSEST_TIME ? [input, state, digestOfFile(input)] : [input, state],
    ),
  };
}

/** The build of a module, if this user built it with this version, and neither it nor its inputs have changed since. */
export function freshBuild(module: string): string | undefined {
  const path = defaultBuildPath(module);
  if (!existsSync(path)) return undefined;
  try {
    const record = JSON.parse(readFileSync(recordPath(module)!, 'utf8')) as BuildRecord;
    const source = realpathSync(module);
    const isFresh =
      record.maker === MAKER &&
      record.build === stateOf(path) &&
      record.inputs.some(([input]) => input === source) &&
      record.inputs.every(
        ([input, state, digest]) =>
          stateOf(input) === state && (digest === undefined || digestOfFile(input) === digest),
      );
    return isFresh ? path : undefined;
  } catch {
    return undefined; // never built by this user, or an input is missing
  }
}

/** Undefined if there is no cache folder. */
function recordPath(module: string): string | undefined {
  const folder = cacheFolder();
  return folder && join(folder, 'builds', `${module.replace(':', '')}.json`);
}

const digestOfFile = (path: string) => digestOf(readFileSync(path));

import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commit, version } from '../version.ts';
import { cacheFolder } from './cache-folder.ts';
import { areUnchanged, recordInputs, stateOf } from './input-states.ts';
import type { Dependencies, InputStates } from './input-states.ts';
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
  readonly inputs: InputStates;
}

/** Records a build for freshBuild. `began` is the time when it began. */
export function rememberBuild(
  module: string,
  { inputs, missing, links }: Pick<Dependencies, 'inputs' | 'missing' | 'links'>,
  began: number,
): void {
  const path = recordPath(module);
  if (path === undefined) return;
  try {
    rmSync(path, { force: true });
    const states = recordInputs([...inputs], [...missing], began, [...links]);
    if (!states) return;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const record: BuildRecord = { maker: MAKER, build: stateOf(defaultBuildPath(module)), inputs: states };
    writeAtomically(path, JSON.stringify(record), 0o600);
  } catch {
    // The disk is full, or an input is not a file: the build is complete, but will not be used in place of the module.
  }
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
      record.inputs.files.some(([input]) => input === source) &&
      areUnchanged(record.inputs);
    return isFresh ? path : undefined;
  } catch {
    return undefined; // never built by this user
  }
}

/** Undefined if there is no cache folder. */
function recordPath(module: string): string | undefined {
  const folder = cacheFolder();
  return folder && join(folder, 'builds', `${module.replace(':', '')}.json`);
}

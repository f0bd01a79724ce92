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
import { writeExclusively } from './write-exclusively.ts';

/** What `everywire build` writes unless told otherwise, and where a TypeScript module's build is looked for. */
export function preparedPath(module: string): string {
  return `${module.replace(/\.[cm]?[jt]sx?$/, '')}.built.mjs`;
}

const MARK = '// everywire build ';
const MAKER = `${version} ${commit}`;

/** The line that tells a built file from others. It proves nothing: anybody can write it. */
export const stamp = `${MARK}${MAKER}`;

/** Whether a file is what `everywire build` writes. */
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
    return false; // no such file, or none that can be read
  }
}

/**
 * What a build was made of, kept in the cache folder of the user who made it. A file next to the module is no proof:
 * whoever can put a build there can put anything into it.
 */
interface BuildRecord {
  readonly maker: string;
  readonly build: string;
  readonly inputs: readonly (readonly [path: string, state: string, digest?: string])[];
}

/** File systems may count time in steps of this many milliseconds. */
const COARSEST = 2000;

/** Remembers a build that began at a time, for freshBuild. */
export function rememberBuild(module: string, inputs: readonly string[], began: number): void {
  const path = recordPath(module);
  if (path === undefined) return;
  try {
    rmSync(path, { force: true });
    const record = recordOf(module, inputs, began);
    if (!record) return;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeExclusively(path, JSON.stringify(record), 0o600);
  } catch {
    // No room, or an input that is no file: the build is whole all the same, and whoever names the module gets that.
  }
}

function recordOf(module: string, inputs: readonly string[], began: number): BuildRecord | undefined {
  const states = inputs.map((input) => ({ input, changed: statSync(input).ctimeMs, state: stateOf(input) }));
  // What was changed meanwhile may not be what was built.
  if (states.some(({ changed }) => changed >= began)) return undefined;
  return {
    maker: MAKER,
    build: stateOf(preparedPath(module)),
    // A change that came right after the last one may bear the same time: there only the content tells.
    inputs: states.map(({ input, changed, state }) =>
      changed >= began - COARSEST ? [input, state, digestOf(input)] : [input, state],
    ),
  };
}

/** A module's build, if this user made it with this version, and it and all that went into it are as they were. */
export function freshBuild(module: string): string | undefined {
  const path = preparedPath(module);
  if (!existsSync(path)) return undefined;
  try {
    const record = JSON.parse(readFileSync(recordPath(module)!, 'utf8')) as BuildRecord;
    const source = realpathSync(module);
    const isFresh =
      record.maker === MAKER &&
      record.build === stateOf(path) &&
      record.inputs.some(([input]) => input === source) &&
      record.inputs.every(
        ([input, state, digest]) => stateOf(input) === state && (digest === undefined || digestOf(input) === digest),
      );
    return isFresh ? path : undefined;
  } catch {
    return undefined; // never built here, or a part of it is gone: the module itself will do
  }
}

/** Undefined where nothing can be kept. */
function recordPath(module: string): string | undefined {
  const folder = cacheFolder();
  return folder && join(folder, 'builds', `${module.replace(':', '')}.json`);
}

/**
 * Which file it is and when it last changed. Size and modification time can be kept or set by whoever edits a file; the
 * inode and the time of its last change are the system's own.
 */
function stateOf(path: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

function digestOf(path: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(readFileSync(path)).digest('base64');
}

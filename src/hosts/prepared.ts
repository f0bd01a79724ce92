import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { commit, version } from '../version.ts';

/** Where `everywire build` writes unless told otherwise, and where a TypeScript module's build is looked for. */
export function preparedPath(module: string): string {
  return `${module.replace(/\.[cm]?[jt]sx?$/, '')}.built.mjs`;
}

const MARK = '// everywire build ';
const MAKER = `${version} ${commit}`;

interface Stamp {
  readonly module: string;
  readonly maker: string;
  /** From the build's folder on, with what tells a file from what it was. */
  readonly inputs: readonly (readonly [path: string, state: string])[];
}

/** The line of a built file that says what it was made of, and by whom. */
export function stampOf(module: string, folder: string, inputs: readonly string[]): string {
  const stamp: Stamp = {
    module: basename(module),
    maker: MAKER,
    inputs: inputs.map((input) => [relative(folder, input), stateOf(input)]),
  };
  // It stands in a comment of one line, and a file of plain ASCII is read faster.
  const ascii = JSON.stringify(stamp).replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return MARK + ascii;
}

function stateOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.size} ${stats.mtimeMs}` : 'gone';
}

/** A module's build, if there is one, this version made it, and all that went into it is as it was. */
export function freshBuild(module: string): string | undefined {
  const path = preparedPath(module);
  try {
    const stamp = readStamp(path);
    if (stamp?.maker !== MAKER || stamp.module !== basename(module)) return undefined;
    return stamp.inputs.every(([input, state]) => stateOf(resolve(path, '..', input)) === state) ? path : undefined;
  } catch {
    return undefined; // none, or somebody else's file, or half of one: the module itself will do
  }
}

/** Whether a file is what `everywire build` writes. */
export function isBuilt(path: string): boolean {
  try {
    return readStamp(path) !== undefined;
  } catch {
    return false;
  }
}

function readStamp(path: string): Stamp | undefined {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(2 ** 20);
    const [, line = ''] = bytes.toString('latin1', 0, readSync(file, bytes)).split('\n', 2);
    return line.startsWith(MARK) ? (JSON.parse(line.slice(MARK.length)) as Stamp) : undefined;
  } finally {
    closeSync(file);
  }
}

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { commit, version } from '../version.ts';

/** Where `everywire build` writes unless told otherwise, and where a TypeScript module's build is looked for. */
export function preparedPath(module: string): string {
  return `${module.replace(/\.[cm]?[jt]sx?$/, '')}.built.mjs`;
}

const MARK = '// everywire build ';
const MAKER = `${version} ${commit}`;

/** The line of a built file that says what it was made of, and by whom. */
export function stampOf(module: string, inputs: readonly string[]): string {
  return MARK + JSON.stringify({ module, maker: MAKER, inputs });
}

/** A module's build, if there is one, this version made it, and nothing that went into it is newer. */
export function freshBuild(module: string): string | undefined {
  const path = preparedPath(module);
  const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (made === undefined) return undefined;
  const stamp = readStamp(path);
  if (stamp?.maker !== MAKER) return undefined;
  const isOlder = (input: string) =>
    (statSync(resolve(dirname(path), input), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) <= made;
  return stamp.inputs.every(isOlder) ? path : undefined;
}

function readStamp(path: string): { readonly maker: string; readonly inputs: readonly string[] } | undefined {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(2 ** 20);
    const [, line = ''] = bytes.toString('utf8', 0, readSync(file, bytes)).split('\n', 2);
    return line.startsWith(MARK) ? (JSON.parse(line.slice(MARK.length)) as never) : undefined;
  } catch {
    return undefined; // somebody else's file, or half of one
  } finally {
    closeSync(file);
  }
}

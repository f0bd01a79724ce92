import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheFolder } from '../cache-folder.ts';
import { readRecord, writeRecord } from '../cache-record.ts';
import { digestOf } from '../digest.ts';
import { areUnchanged, recordInputs } from '../input-states.ts';
import type { InputStates } from '../input-states.ts';
import { ModuleError } from '../module-error.ts';
import { writeAtomically } from '../write-atomically.ts';
import { NotThere, Unsupported } from './unsupported.ts';

/** What is known of a module that was compiled before. */
interface GraphRecord {
  /** Null if it has to be run another way. */
  readonly entry: string | null;
  readonly code: readonly (readonly [name: string, digest: string])[];
  readonly inputs: InputStates;
}

const KIND = 'graphs';

/**
 * Imports a TypeScript module from JavaScript in the cache folder. The second time, nothing is loaded that could compile it: 40 ms
 * less than jiti, which keeps compiled code as well, and as fast as JavaScript (`npm run bench -- --only modules`). Undefined if
 * this module has to be run another way.
 */
export async function importCompiled(module: string, query: string): Promise<Record<string, unknown> | undefined> {
  const folder = codeFolder();
  // Not as it is given: a link may lead elsewhere the next time.
  const path = realPathOf(module);
  if (folder === undefined || path === undefined) return undefined;
  const known = compiledBefore(path, folder);
  const entry = known === undefined ? await compile(path, folder) : known;
  if (entry === undefined || entry === null) return undefined;
  try {
    return (await import(pathToFileURL(join(folder, entry)).href + query)) as Record<string, unknown>;
  } catch (error) {
    // Found while the imports are linked, before any code has run. jiti takes names from CommonJS that Node does not find.
    if (error instanceof SyntaxError && /does not provide an export named|Named export/.test(error.message))
      return undefined;
    throw error;
  }
}

/** Undefined if there is no such file, which jiti explains. */
function realPathOf(path: string): string | undefined {
  return existsSync(path) ? realpathSync(path) : undefined;
}

function compiledBefore(path: string, folder: string): string | null | undefined {
  const record = readRecord(KIND, path) as GraphRecord | undefined;
  if (!record || !areUnchanged(record.inputs)) return undefined;
  return record.code.every(([name, digest]) => isIntact(join(folder, name), digest)) ? record.entry : undefined;
}

/** Code is run only if it is, byte for byte, what was written. */
function isIntact(path: string, digest: string): boolean {
  try {
    return digestOf(readFileSync(path)) === digest;
  } catch {
    return false;
  }
}

async function compile(path: string, folder: string): Promise<string | undefined> {
  const began = Date.now();
  try {
    const { compileGraph } = await import('./compile-graph.ts');
    const { entry, code, inputs, missing, links } = await compileGraph(path);
    removeOld(folder);
    for (const [name, text] of code)
      if (!isIntact(join(folder, name), digestOf(text))) writeAtomically(join(folder, name), text, 0o600);
    const states = recordInputs(inputs, missing, began, links);
    const digests = [...code].map(([name, text]) => [name, digestOf(text)]);
    if (states) writeRecord(KIND, path, { entry, code: digests, inputs: states });
    return entry;
  } catch (error) {
    if (error instanceof ModuleError) throw error;
    // Otherwise there is no transpiler, or the disk is full.
    if (error instanceof Unsupported && !(error instanceof NotThere)) rememberUnsupported(path, error, began);
    return undefined;
  }
}

/** What is no module, or has a mistake, which jiti explains. */
function rememberUnsupported(path: string, { inputs, missing }: Unsupported, began: number): void {
  const states = recordInputs(inputs, missing, began);
  if (states) writeRecord(KIND, path, { entry: null, code: [], inputs: states });
}

/** Undefined if there is no cache folder. */
function codeFolder(): string | undefined {
  const folder = cacheFolder();
  if (folder === undefined) return undefined;
  const code = join(folder, 'code');
  try {
    mkdirSync(code, { recursive: true, mode: 0o700 });
    return code;
  } catch {
    return undefined; // a folder that cannot be written: nothing is kept
  }
}

const MAX_FILES = 2000;
const OLD = 30 * 24 * 3600 * 1000;

/** Every change of a module leaves a file behind. A process may still import what it has not needed so far, so only old ones go. */
function removeOld(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MAX_FILES) return;
  for (const name of names) {
    const path = join(folder, name);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - OLD) rmSync(path, { force: true });
  }
}

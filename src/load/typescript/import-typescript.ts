import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheFolder } from '../cache-folder.ts';
import { readRecord, writeRecord } from '../cache-record.ts';
import { digestOf } from '../digest.ts';
import { areUnchanged, recordInputs } from '../input-states.ts';
import type { InputStates } from '../input-states.ts';
import { ModuleError } from '../module-error.ts';
import { writeAtomically } from '../write-atomically.ts';
import { provideContexts } from './context.ts';
import { mapStackTraces } from './stack-traces.ts';

type Exports = Record<string, unknown>;

/** A module that was compiled before. */
interface GraphRecord {
  /** Null if Node loads it itself. */
  readonly entry: string | null;
  /** Where the code is: its imports are absolute. */
  readonly folder: string;
  readonly code: readonly (readonly [name: string, digest: string])[];
  readonly inputs: InputStates;
}

const KIND = 'graphs';

/** These run TypeScript as its compiler resolves it. Node does not: it refuses enums, and imports that have no ending. */
const isNative = 'Bun' in globalThis || 'Deno' in globalThis;

/**
 * Runs a TypeScript module, in the same way on every version of Node: it is compiled with all that it imports before any of it
 * runs, so that nothing runs twice. The second time, nothing is loaded that could compile it: as fast as JavaScript
 * (`npm run bench -- --only modules`).
 */
export async function importTypeScript(path: string, query = ''): Promise<Exports> {
  if (isNative) return (await import(/* webpackIgnore: true */ pathToFileURL(path).href + query)) as Exports;
  // Not as it is given: a link may lead elsewhere the next time.
  const source = realpathSync(path);
  const compiled = await compiledFile(source);
  return (await import(/* webpackIgnore: true */ pathToFileURL(compiled ?? source).href + query)) as Exports;
}

/** A late import of compiled code that could not be resolved before. */
async function importFrom(importer: string, specifier: string, options?: ImportCallOptions): Promise<unknown> {
  const [{ Resolver }, { loadTools }, { notFound }] = await Promise.all([
    import('./resolve-import.ts'),
    import('./tools.ts'),
    import('./compile-file.ts'),
  ]);
  const resolver = new Resolver((await loadTools()).createJiti);
  const found = resolver.resolve({ specifier, hasAttributes: options !== undefined }, importer);
  if (!found) throw notFound(specifier, importer);
  return 'url' in found ? import(/* webpackIgnore: true */ found.url, options) : importTypeScript(found.source);
}

/** The file that stands for a module; undefined if Node loads the module itself. */
async function compiledFile(source: string): Promise<string | undefined> {
  const cache = cacheFolder();
  const known = cache === undefined ? undefined : compiledBefore(source, cache);
  const { folder, entry } = known ?? (await compile(source, cache));
  provideContexts(importFrom);
  mapStackTraces(join(folder, 'code'), join(folder, 'maps'));
  return entry === null ? undefined : join(folder, 'code', entry);
}

interface Compiled {
  readonly folder: string;
  /** Null if Node loads it itself. */
  readonly entry: string | null;
}

function compiledBefore(path: string, folder: string): Compiled | undefined {
  const record = readRecord(KIND, path) as GraphRecord | undefined;
  if (record?.folder !== folder || !areUnchanged(record.inputs)) return undefined;
  const isWhole = record.code.every(([name, digest]) => isIntact(join(folder, 'code', name), digest));
  return isWhole ? { folder, entry: record.entry } : undefined;
}

/** Code is run only if it is, byte for byte, what was written. */
function isIntact(path: string, digest: string): boolean {
  try {
    return digestOf(readFileSync(path)) === digest;
  } catch {
    return false;
  }
}

/** Into the cache folder; if there is none, or its disk is full, into a folder of this process. */
async function compile(path: string, cache: string | undefined): Promise<Compiled> {
  const { compileGraph } = await import('./compile-graph.ts');
  for (const folder of [cache, undefined]) {
    const began = Date.now();
    const home = folder ?? privateFolder();
    const { code, inputs, missing, links, mistakes, ...graph } = await compileGraph(
      path,
      (kind, name) => pathToFileURL(join(home, kind, name)).href,
    );
    const entry = graph.entry ?? null;
    try {
      for (const kind of ['code', 'maps']) {
        mkdirSync(join(home, kind), { recursive: true, mode: 0o700 });
        removeOld(join(home, kind));
      }
      for (const [name, { text, map }] of code) {
        if (isIntact(join(home, 'code', name), digestOf(text))) continue;
        if (map) writeAtomically(join(home, 'maps', `${name}.json`), JSON.stringify(map), 0o600);
        writeAtomically(join(home, 'code', name), text, 0o600);
      }
    } catch (error) {
      if (folder === undefined) throw error;
      continue;
    }
    for (const mistake of mistakes) process.emitWarning(mistake, 'EverywireWarning');
    // Not kept, so that the next start warns, too.
    const states = folder === undefined || mistakes.size > 0 ? undefined : recordInputs(inputs, missing, began, links);
    const digests = [...code].map(([name, { text }]) => [name, digestOf(text)] as const);
    if (states) writeRecord(KIND, path, { entry, folder: home, code: digests, inputs: states } satisfies GraphRecord);
    return { folder: home, entry };
  }
  throw new Error('unreachable');
}

let ownFolder: string | undefined;

/** A folder that is removed when the process ends: late imports may need what is in it. */
function privateFolder(): string {
  if (ownFolder !== undefined) return ownFolder;
  for (const base of [tmpdir(), '/dev/shm']) {
    try {
      const folder = mkdtempSync(join(realpathSync(base), 'everywire-'));
      process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
      return (ownFolder = folder);
    } catch {
      // It cannot be written.
    }
  }
  throw new ModuleError('TypeScript is compiled into a folder, and none can be written; set XDG_CACHE_HOME or TMPDIR');
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

import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClassicTypeScript } from './classic-program.ts';
import { openClassic } from './classic-program.ts';
import type { NativeTypeScript } from './native-program.ts';
import { openNative } from './native-program.ts';
import type { Program } from './program.ts';
import type { RecordedFiles } from './recorded-files.ts';

export interface Compiler {
  readonly version: string;
  /** The folder of the package. */
  readonly folder: string;
  /** `config` is the path of a tsconfig.json, which may exist in `files` only. */
  open(config: string, files: RecordedFiles): Program;
}

/** No compiler, or one that is too old. */
export class NoCompiler extends Error {
  override readonly name = 'NoCompiler';
}

const OLDEST = [5, 9] as const;
const INSTALL = 'run: npm install --save-dev typescript';

/** The compiler of the project that the module belongs to, or else the one next to everywire. Loads it. */
export async function findCompiler(modulePath: string, folder?: string): Promise<Compiler> {
  const folders = folder
    ? [folder]
    : [modulePath, import.meta.url].map(packageSeenFrom).filter((one) => one !== undefined);
  const found = folders.map((one) => ({ folder: one, version: versionIn(one) }));
  const fit = found.find(({ version }) => isRecent(version));
  if (fit) return load(fit.folder, fit.version);
  const [old] = found;
  if (old)
    throw new NoCompiler(
      `To read plain TypeScript, everywire needs TypeScript 5.9 or later, not ${old.version}; ${INSTALL}`,
    );
  throw new NoCompiler(
    `To read plain TypeScript, everywire needs the package "typescript", which is not installed; ${INSTALL}`,
  );
}

function packageSeenFrom(file: string): string | undefined {
  try {
    return dirname(createRequire(file).resolve('typescript/package.json'));
  } catch {
    return undefined; // not installed there: the next place is tried
  }
}

function versionIn(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown };
  return String(version);
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

async function load(folder: string, version: string): Promise<Compiler> {
  if (Number.parseInt(version, 10) < 7) {
    // Not import(): Node would look for exports in nine megabytes of source first, which takes half a second.
    const ts = createRequire(join(folder, 'package.json'))(folder) as ClassicTypeScript;
    return { version, folder, open: (config, files) => openClassic(ts, config, files) };
  }
  const { API, TypeFlags, ObjectFlags, SymbolFlags, ElementFlags } = await importFrom(folder, './unstable/sync');
  const { SyntaxKind } = await importFrom(folder, './unstable/ast');
  const { default: findProgram } = (await import(
    /* webpackIgnore: true */ pathToFileURL(join(folder, 'lib/getExePath.js')).href
  )) as {
    default: () => string;
  };
  const libraries = dirname(realpathSync(findProgram())).replaceAll('\\', '/');
  const enumerations = { TypeFlags, ObjectFlags, SymbolFlags, ElementFlags, SyntaxKind };
  const ts = { version, API, libraries, ...enumerations } as NativeTypeScript;
  return { version, folder, open: (config, files) => openNative(ts, config, files) };
}

/** Reads `exports` itself: an alias of the package (`npm:typescript@…`) cannot be resolved by its name. */
async function importFrom(folder: string, entry: string): Promise<Partial<NativeTypeScript>> {
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports?: Record<string, string>;
  };
  const file = exports[entry];
  if (typeof file !== 'string')
    throw new NoCompiler(`TypeScript in ${folder} has no "${entry}", which everywire needs`);
  return (await import(/* webpackIgnore: true */ pathToFileURL(join(folder, file)).href)) as Partial<NativeTypeScript>;
}

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { importRolldown } from '#optional';
import type { OutputOptions, Plugin } from 'rolldown';
import { ModuleError } from '../load/module-error.ts';
import type { UsedModule } from '../load/plain/used-modules.ts';
import { FROZEN, frozenModules } from './entry.ts';
import type { Entry } from './entry.ts';
import { Externals } from './externals.ts';
import type { Part } from './pack.ts';

export interface Bundle {
  /** A single ES module if the app uses top-level await; otherwise many CommonJS parts. */
  readonly parts: readonly Part[];
  readonly isModule: boolean;
  /** The source files. */
  readonly inputs: readonly string[];
}

const ENTRY = '\0everywire:entry';

export interface Source {
  /** The path of the module, or of the first one. */
  readonly module: string;
  readonly entry: Entry;
  readonly used: readonly UsedModule[];
  /** The copy of this package that the module imports, which may differ from the one that builds it. */
  readonly home: string;
  readonly externals: Externals;
}

/** The input of a bundle: a module, and the names of packages that stay outside. */
export function sourceOf(
  module: string,
  entry: Entry,
  used: readonly UsedModule[],
  external: readonly string[],
): Source {
  const home = homeOf(module);
  return { module, entry, used, home, externals: new Externals(module, home, external) };
}

/**
 * Bundles a module and its imports into parts; lazy imports are separate parts. The modules of this package that are in
 * `together` become one part. Other modules may have side effects, so their order must not change. Without `together`
 * the result is only for a trial run and is not minified.
 */
export async function bundle(source: Source, together?: ReadonlySet<string>): Promise<Bundle> {
  const make = async (isModule: boolean): Promise<Bundle> => {
    const made = await generate(source, isModule, together);
    if (source.externals.settle()) return make(isModule);
    return !isModule && source.externals.areOnlyImportable ? make(true) : made;
  };
  try {
    // Only ES modules support top-level await, and only CommonJS can be packed.
    return await make(false).catch((error: unknown) => {
      if (codesOf(error).includes('INVALID_TLA_FORMAT')) return make(true);
      throw error;
    });
  } catch (error) {
    if (error instanceof ModuleError) throw error;
    throw new ModuleError(`${source.module} cannot be built: ${reasonsOf(error).join('\n')}`);
  }
}

async function generate(
  { module, entry, used, home, externals }: Source,
  isModule: boolean,
  together: ReadonlySet<string> | undefined,
): Promise<Bundle> {
  const run = join(home, 'dist/bin/run-module.js');
  const own = join(home, 'dist/');
  const { rolldown } = await importRolldown();
  await using build = await rolldown({
    input: isModule ? { main: ENTRY } : { main: ENTRY, run },
    platform: 'node',
    cwd: dirname(module),
    // They compile modules that the command line names; a built app contains its module.
    // The console is in the package, and shows apps that are worked on.
    external: ['jiti', 'rolldown', 'oxc-transform', 'es-module-lexer', /\/dist\/chunks\/create-console-[^/]+$/],
    plugins: [
      virtual({
        [ENTRY]: () => (isModule ? entryThatRuns(run, entry.awaiting(home)) : entry.exporting(home)),
        [FROZEN]: () => frozenModules(home, used),
      }),
      // A built app contains the optional packages that are installed.
      {
        name: 'everywire:optional',
        resolveId: (id) => (id === '#optional' ? join(home, 'dist/optional-in-bundle.js') : undefined),
      },
      externals.plugin(),
    ],
    logLevel: 'silent',
  });
  const groups = [{ name: 'together', test: (id: string) => id.startsWith(own) && together?.has(id) === true }];
  const parts = { ...PARTS, codeSplitting: { groups }, minify: together !== undefined && MINIFY };
  const { output } = await build.generate(isModule ? MODULE : parts);
  const chunks = output.filter((one) => one.type === 'chunk');
  return {
    parts: chunks.map(({ fileName, code, moduleIds }) => ({
      name: fileName,
      code,
      modules: moduleIds,
    })),
    isModule,
    inputs: chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => !id.startsWith('\0')),
  };
}

/** Names of classes say which code a thrown error has: see `@throws` in docs/modules.md. */
const MINIFY = {
  compress: { keepNames: { class: true, function: false } },
  mangle: { keepNames: { class: true, function: false } },
};
const COMMON: OutputOptions = {
  exports: 'named',
  entryFileNames: '[name].js',
  minify: MINIFY,
  comments: false,
  // Of two classes of one name, one is renamed.
  keepNames: true,
};
const PARTS: OutputOptions = { ...COMMON, format: 'cjs', chunkFileNames: '[name]-[hash].js' };
const MODULE: OutputOptions = { ...COMMON, format: 'es', codeSplitting: false };

function homeOf(module: string): string {
  const require = [module, import.meta.url].map((file) => createRequire(file));
  for (const one of require) {
    try {
      return dirname(one.resolve('everywire/package.json'));
    } catch {
      // A plain module need not be in a project that has this package.
    }
  }
  throw new ModuleError('everywire is not installed here: npm install everywire');
}

/** Does for a single module what loader.ts does for parts. */
const entryThatRuns = (run: string, app: string) => `
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runModule } from ${JSON.stringify(run)};
const isMain = isSame(process.argv[1]);
const app = async () => ${app};
export default isMain ? undefined : await app();
if (isMain) await runModule(app, process.argv);

function isSame(started) {
  try {
    return started !== undefined && realpathSync(started) === realpathSync(fileURLToPath(import.meta.url));
  } catch {
    return false;
  }
}`;

/** Modules that are no files. */
function virtual(modules: Readonly<Record<string, () => string>>): Plugin {
  return {
    name: 'everywire:entry',
    resolveId: (id) => (Object.hasOwn(modules, id) ? id : undefined),
    load: (id) => (Object.hasOwn(modules, id) ? modules[id]!() : undefined),
  };
}

interface BuildFailure {
  readonly errors?: readonly { readonly code?: string; readonly message: string }[];
}

const codesOf = (error: unknown) => ((error as BuildFailure).errors ?? []).map(({ code }) => code);

function reasonsOf(error: unknown): readonly string[] {
  const { errors } = error as BuildFailure;
  return errors?.map(({ message }) => message.trimEnd()) ?? [(error as Error).message];
}

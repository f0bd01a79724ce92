import { existsSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { App } from '../app/app.ts';
import { ModuleError } from './module-error.ts';
import { rememberInputs, rememberModule } from './app-origin.ts';
import type { LoadedPlain } from './plain/load-plain.ts';

/** A module, or a folder of modules. */
type Module = string | URL;

/** The absolute path of a module, and its name in messages. */
export interface NamedModule {
  readonly path: string;
  readonly shown: string;
  /** Added to its URL, such as `?run=2`: a run among several in one process has its own copy of the module. */
  readonly query?: string | undefined;
}

/**
 * Loads the app that a module exports. A TypeScript module without an app, several of them or a folder of them are an app of the
 * functions that they export. TypeScript works on every supported Node.
 */
export async function loadApp(module: Module | readonly Module[]): Promise<App> {
  return loadModules([module].flat().map(named));
}

function named(module: Module): NamedModule {
  if (!(module instanceof URL)) return { path: resolve(module), shown: module };
  const path = fileURLToPath(module);
  return { path, shown: relative('', path) };
}

/** The app of modules whose paths are known. */
export async function loadModules(modules: readonly NamedModule[]): Promise<App> {
  const { app, from } = await loadSource(modules);
  if (typeof from !== 'string') {
    const inputs = from.modules.flatMap((module) => module.inputs);
    rememberInputs(app, inputs);
  }
  if (modules.length === 1) rememberModule(app, modules[0]!.path);
  return app;
}

interface LoadedSource {
  readonly app: App;
  readonly path: string;
  /** The name of the export, or what was read in modules that export no app. */
  readonly from: string | LoadedPlain;
}

/** Loads an app, and tells under which name it is exported. */
export async function loadSource(modules: readonly NamedModule[]): Promise<LoadedSource> {
  const missing = modules.find((module) => !existsSync(module.path));
  if (missing) throw (await import('./load-failure.ts')).missingFile('module', missing.path, missing.shown);
  const { path, shown, query } = modules[0] ?? { path: '', shown: '' };
  if (modules.length !== 1 || statSync(path).isDirectory()) {
    const { loadTogether } = await import('./plain/load-together.ts');
    const plain = await loadTogether(modules);
    return { app: plain.app, path, from: plain };
  }
  try {
    const exported = await importModule(path, query);
    const from = await exportNameIn(exported);
    if (from === undefined) {
      const plain = await loadFunctions(shown, path, exported);
      return { app: plain.app, path, from: plain };
    }
    // Imported late: the module has most likely loaded it already, and commands without a module do not need it.
    const { appFrom } = await import('../app/is-app.ts');
    const app = await appFrom(exported[from]);
    if (app) return { app, path, from };
    const isFunction = typeof exported[from] === 'function';
    const hint = isFunction && TYPESCRIPT.test(path) ? '; to serve the function itself, export it by a name' : '';
    const what = isFunction ? 'function that returns' : 'promise of';
    throw new ModuleError(`${shown} exports a ${what} something else than an app, as ${from}${hint}`);
  } catch (thrown) {
    throw await (await import('./load-failure.ts')).loadFailure(shown, path, thrown);
  }
}

/** Under which name a module exports an app, or what may become one. */
export async function exportNameIn(exported: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  const { isApp, mayBecomeApp } = await import('../app/is-app.ts');
  return (
    ['default', 'app', ...Object.keys(exported)].find((name) => isApp(exported[name])) ??
    // Not any function: calling one may have effects.
    ['default', 'app'].find((name) => mayBecomeApp(exported[name]))
  );
}

/** A module without an app, whose functions are served as they are. */
async function loadFunctions(
  shown: string,
  path: string,
  exports: Readonly<Record<string, unknown>>,
): Promise<LoadedPlain> {
  // Otherwise it would be refused for want of a compiler.
  const hasFunctions = Object.values(exports).some((one) => typeof one === 'function' || typeof one === 'object');
  if (TYPESCRIPT.test(path) && hasFunctions) {
    const { loadPlain } = await import('./plain/load-plain.ts');
    const plain = await loadPlain({ given: path, shown, modules: [{ path, exports }] });
    if (plain) return plain;
  }
  const hint = TYPESCRIPT.test(path)
    ? ', or export a function'
    : '. Functions alone are served from TypeScript, by their types';
  throw new ModuleError(`${shown} exports no app; add: export default createApp({ … })${hint}`);
}

const TYPESCRIPT = /\.[cm]?tsx?$/;

/** Imports a JavaScript or TypeScript file. */
export async function importModule(path: string, query = ''): Promise<Record<string, unknown>> {
  return TYPESCRIPT.test(path)
    ? (await import('./typescript/import-typescript.ts')).importTypeScript(path, query)
    : ((await import(/* webpackIgnore: true */ pathToFileURL(path).href + query)) as Record<string, unknown>);
}

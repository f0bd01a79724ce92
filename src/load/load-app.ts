import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { App } from '../app/app.ts';
import { ModuleError } from './module-error.ts';
import { rememberModule } from './app-origin.ts';
import { freshBuild } from './fresh-build.ts';

/** Loads the app that a module exports. TypeScript works on every supported Node; a fresh build is used instead, if there is one. */
export async function loadApp(module: string | URL): Promise<App> {
  const path = pathOf(module);
  const built = TYPESCRIPT.test(path) ? freshBuild(path) : undefined;
  const app = built === undefined ? (await loadSource(module)).app : await loadBuilt(built);
  rememberModule(app, path);
  return app;
}

/** A build of a module whose app was loaded when it was built. */
async function loadBuilt(path: string): Promise<App> {
  const { default: exported } = (await import(pathToFileURL(path).href)) as { default: unknown };
  const { appFrom } = await import('../app/is-app.ts');
  return (await appFrom(exported)) as App;
}

interface LoadedSource {
  readonly app: App;
  readonly path: string;
  /** The name of the export. */
  readonly exportName: string;
}

/** The same, always from the source. */
export async function loadSource(module: string | URL): Promise<LoadedSource> {
  const path = pathOf(module);
  if (!existsSync(path)) throw new ModuleError(`No such module: ${nameOf(module)}`);
  try {
    const exported = await importModule(path);
    // Imported late: the module has most likely loaded it already, and commands without a module do not need it.
    const { appFrom, isApp, mayBecomeApp } = await import('../app/is-app.ts');
    const exportName =
      ['default', 'app', ...Object.keys(exported)].find((name) => isApp(exported[name])) ??
      // Not any function: calling one may have effects.
      ['default', 'app'].find((name) => mayBecomeApp(exported[name]));
    if (exportName === undefined)
      throw new ModuleError(`${nameOf(module)} exports no app; add: export default createApp({ … })`);
    const app = await appFrom(exported[exportName]);
    if (app) return { app, path, exportName };
    const what = typeof exported[exportName] === 'function' ? 'function that returns' : 'promise of';
    throw new ModuleError(`${nameOf(module)} exports a ${what} something else than an app, as ${exportName}`);
  } catch (thrown) {
    throw await (await import('./load-failure.ts')).loadFailure(nameOf(module), path, thrown);
  }
}

function pathOf(module: string | URL): string {
  return module instanceof URL ? fileURLToPath(module) : resolve(module);
}

/** For messages. */
function nameOf(module: string | URL): string {
  return module instanceof URL ? relative('', fileURLToPath(module)) : module;
}

const TYPESCRIPT = /\.[cm]?tsx?$/;

/** Imports a JavaScript or TypeScript file. */
export async function importModule(path: string): Promise<Record<string, unknown>> {
  return TYPESCRIPT.test(path)
    ? (await import('./typescript/import-typescript.ts')).importTypeScript(path)
    : ((await import(pathToFileURL(path).href)) as Record<string, unknown>);
}

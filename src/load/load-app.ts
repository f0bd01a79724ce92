import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { App } from '../app/app.ts';
import { cacheFolder } from './cache-folder.ts';
import { ModuleError } from './module-error.ts';
import { rememberModule } from './app-origin.ts';
import { freshBuild } from './fresh-build.ts';

/** The app that a module exports. TypeScript runs as it is, on any supported Node; its build instead if that is fresh. */
export async function loadApp(module: string | URL): Promise<App> {
  const path = pathOf(module);
  const built = TYPESCRIPT.test(path) ? freshBuild(path) : undefined;
  const app =
    built === undefined
      ? (await loadSource(module)).app
      : ((await import(pathToFileURL(built).href)) as { default: App }).default;
  rememberModule(app, path);
  return app;
}

interface LoadedSource {
  readonly app: App;
  readonly path: string;
  /** What the module calls it. */
  readonly exportName: string;
}

/** The same from the module itself. */
export async function loadSource(module: string | URL): Promise<LoadedSource> {
  const path = pathOf(module);
  if (!existsSync(path)) throw new ModuleError(`No such module: ${nameOf(module)}`);
  const exported = await importModule(path).catch(async (thrown: unknown) => {
    throw await (await import('./load-failure.ts')).loadFailure(nameOf(module), path, thrown);
  });
  // After the module, which has most likely loaded it already: a command that names no module never pays for it.
  const { isApp } = await import('../app/is-app.ts');
  const exportName = ['default', 'app', ...Object.keys(exported)].find((name) => isApp(exported[name]));
  if (exportName === undefined) {
    throw new ModuleError(`${nameOf(module)} exports no app; add: export default createApp({ … })`);
  }
  return { app: exported[exportName] as App, path, exportName };
}

function pathOf(module: string | URL): string {
  return module instanceof URL ? fileURLToPath(module) : resolve(module);
}

/** As the person would write it who named it. */
function nameOf(module: string | URL): string {
  return module instanceof URL ? relative('', fileURLToPath(module)) : module;
}

const TYPESCRIPT = /\.[cm]?tsx?$/;

async function importModule(path: string): Promise<Record<string, unknown>> {
  const url = pathToFileURL(path).href;
  if (!TYPESCRIPT.test(path)) return (await import(url)) as Record<string, unknown>;
  if ('typescript' in process.features && process.features.typescript) {
    try {
      return (await import(url)) as Record<string, unknown>;
    } catch (error) {
      // Stripping types is not enough for enums and namespaces; fall through to a real compiler.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') throw error;
    }
  }
  const { createJiti } = await import('jiti');
  return await createJiti(import.meta.url, { fsCache: cacheFolder() ?? false }).import(path);
}

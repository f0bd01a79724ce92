import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { App } from '../app.ts';

/** A module that cannot be served, in words for the person who named it. */
class ModuleError extends Error {
  override readonly name = 'ModuleError';
}

const loadedFrom = new WeakMap<App, string>();

/** The file of the module that an app was loaded from, if loadApp did that. */
export function moduleOf(app: App): string | undefined {
  return loadedFrom.get(app);
}

/** The app that a module exports. TypeScript runs as it is, on any supported Node. */
export async function loadApp(module: string | URL): Promise<App> {
  const path = module instanceof URL ? fileURLToPath(module) : resolve(module);
  if (!existsSync(path)) throw new ModuleError(`No such module: ${String(module)}`);
  const exported = await importModule(path).catch((error: NodeJS.ErrnoException) => {
    if (MISSING.has(error.code ?? '')) throw new ModuleError(`${String(module)} cannot be loaded: ${firstLine(error)}`);
    if (!NOT_A_MODULE.has(error.code ?? '')) throw error;
    throw new ModuleError(`${String(module)} is not a module; expected a .ts, .js or .mjs file`);
  });
  // After the module, which has most likely loaded it already: a command that names no module never pays for it.
  const { isApp } = await import('../app.ts');
  const candidates = [exported['default'], exported['app'], ...Object.values(exported)];
  const app = candidates.find(isApp);
  if (!app) throw new ModuleError(`${String(module)} exports no app; add: export default createApp({ … })`);
  loadedFrom.set(app, path);
  return app;
}

const MISSING = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/** `Cannot find package 'x'`, without the places that Node and the compiler looked from. */
function firstLine({ message }: Error): string {
  return (message.split('\n')[0] ?? '').replace(/ imported from .*$/, '');
}

const NOT_A_MODULE = new Set(['ERR_UNKNOWN_FILE_EXTENSION', 'ERR_UNSUPPORTED_DIR_IMPORT', 'EISDIR']);

async function importModule(path: string): Promise<Record<string, unknown>> {
  const url = pathToFileURL(path).href;
  if (!/\.[cm]?tsx?$/.test(path)) return (await import(url)) as Record<string, unknown>;
  if ('typescript' in process.features && process.features.typescript) {
    try {
      return (await import(url)) as Record<string, unknown>;
    } catch (error) {
      // Stripping types is not enough for enums and namespaces; fall through to a real compiler.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') throw error;
    }
  }
  const { createJiti } = await import('jiti');
  return await createJiti(import.meta.url).import(path);
}

import { exportNameIn, importModule } from '../load-app.ts';
import type { NamedModule } from '../load-app.ts';
import { ModuleError } from '../module-error.ts';
import { loadPlain } from './load-plain.ts';
import type { LoadedPlain } from './load-plain.ts';
import { shownFile } from './read-modules.ts';
import { isFolder, modulesIn } from './module-files.ts';

/** The app of several modules and folders. Only plain modules can be served together: two apps may have two of everything. */
export async function loadTogether(named: readonly NamedModule[]): Promise<LoadedPlain> {
  const shown = named.map((one) => one.shown).join(' ');
  const paths = [...new Set(named.flatMap((one) => (isFolder(one.path) ? modulesIn(one.path, one.shown) : one.path)))];
  const modules = [];
  for (const path of paths) modules.push({ path, exports: await importPlain(path) });
  const [only] = named;
  const loaded = await loadPlain({ given: named.length === 1 ? only!.path : '', shown, modules });
  if (!loaded) throw new ModuleError(`${shown}: no module exports a function`);
  return loaded;
}

async function importPlain(path: string): Promise<Readonly<Record<string, unknown>>> {
  const shown = shownFile(path);
  if (!/\.[cm]?tsx?$/.test(path))
    throw new ModuleError(`${shown} is not TypeScript; functions are served by the types in their source`);
  try {
    const exports = await importModule(path);
    if ((await exportNameIn(exports)) === undefined) return exports;
  } catch (thrown) {
    throw await (await import('../load-failure.ts')).loadFailure(shown, path, thrown);
  }
  throw new ModuleError(
    `${shown} exports an app, which is served alone; to add functions to it, use fromModule of everywire/node`,
  );
}

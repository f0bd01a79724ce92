import { readFile } from 'node:fs/promises';
import { importModule } from './load-app.ts';
import type { NamedModule } from './load-app.ts';
import { ModuleError } from './module-error.ts';

/** What a configuration file exports: any value, which the caller checks. */
export async function loadConfig({ path, shown: file, query }: NamedModule): Promise<unknown> {
  if (!/\.(?:[cm]?[jt]s|json)$/.test(path)) throw new ModuleError(`${file} is not a .ts, .js, .mjs or .json file`);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ModuleError(error.code === 'ENOENT' ? `No such file: ${file}` : `${file} cannot be read (${error.code})`);
  });
  if (path.endsWith('.json')) return parse(text, file);
  const exported = await importModule(path, query).catch(async (thrown: unknown) => {
    throw await (await import('./load-failure.ts')).loadFailure(file, path, thrown);
  });
  if (!('default' in exported)) throw new ModuleError(`${file} has no default export; add: export default { … }`);
  return exported['default'];
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ModuleError(`${file} is not JSON: ${(error as Error).message}`);
  }
}

import { readFile } from 'node:fs/promises';
import { importModule } from './load-app.ts';
import type { NamedModule } from './load-app.ts';
import { ModuleError } from './module-error.ts';

/** What a configuration file exports: any value, which the caller checks. */
export async function loadConfig({ path, shown: file, query }: NamedModule): Promise<unknown> {
  if (!/\.(?:[cm]?[jt]s|json)$/.test(path)) throw new ModuleError(`${file} is not a .ts, .js, .mjs or .json file`);
  const text = await readFile(path, 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new ModuleError(`${file} cannot be read (${error.code})`);
    throw (await import('./load-failure.ts')).missingFile('file', path, file);
  });
  if (path.endsWith('.json')) return parse(text.replace(/^\uFEFF/, ''), file);
  const exported = await importModule(path, query).catch(async (thrown: unknown) => {
    throw await (await import('./load-failure.ts')).loadFailure(file, path, thrown);
  });
  if (!('default' in exported)) throw new ModuleError(`${file} has no default export; add: export default { … }`);
  return exported['default'];
}

async function parse(text: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const { codeFrame, jsonMistake, lineOf, unexpected } = await import('../responses/source-mistake.ts');
    const mistake = jsonMistake(text);
    const place = `${file}:${mistake.line}:${mistake.column}`;
    throw new ModuleError(
      `${file} is not JSON: ${unexpected(mistake)} (${place})\n${codeFrame(lineOf(text, mistake), mistake)}`,
    );
  }
}

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheFolder } from '../cache-folder.ts';

type Exports = Record<string, unknown>;

/** Runs a TypeScript module: as Node does, from code that was compiled before, or with jiti. */
export async function importTypeScript(path: string, query: string): Promise<Exports> {
  if (!isStripping) return (await importCompiledOf(path, query)) ?? importWithJiti(path);
  // There, Node refuses what everybody writes in TypeScript: import and export.
  const forced = isCommonJs(path) ? await importCompiledOf(path, query) : undefined;
  if (forced) return forced;
  try {
    return (await import(pathToFileURL(path).href + query)) as Exports;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Type stripping does not support enums and namespaces, and does not resolve what only TypeScript does.
    if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
      return (await importCompiledOf(path, query)) ?? importWithJiti(path);
    // Nor decorators, which are then a mistake in JavaScript.
    const isOther = code === 'ERR_MODULE_NOT_FOUND' || error instanceof SyntaxError;
    const compiled = isOther ? await importCompiledOf(path, query) : undefined;
    if (compiled) return compiled;
    throw error;
  }
}

const isStripping = 'typescript' in process.features && Boolean(process.features.typescript);

/** Whether the package of a file says `"type": "commonjs"`, as `npm init` writes it. */
function isCommonJs(path: string): boolean {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    try {
      const { type } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { type?: unknown };
      return type === 'commonjs' && path.endsWith('.ts');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false; // Node explains what is wrong with it
    }
  }
  return false;
}

/** What else there is, such as CommonJS in TypeScript, is left to jiti. */
async function importCompiledOf(path: string, query: string): Promise<Exports | undefined> {
  return /\.m?ts$/.test(path) ? (await import('./import-compiled.ts')).importCompiled(path, query) : undefined;
}

async function importWithJiti(path: string): Promise<Exports> {
  const { createJiti } = await import('jiti');
  return await createJiti(import.meta.url, { fsCache: cacheFolder() ?? false }).import(path);
}

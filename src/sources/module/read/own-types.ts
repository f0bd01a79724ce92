import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Program, Sym } from '../compiler/program.ts';

/** Whether a type is declared in a file of this package, `core/context` for example. Others have such files, too. */
export function isOwn(symbol: Sym, file: string, program: Program): boolean {
  return program.declarations(symbol).some((one) => {
    const { fileName } = one.getSourceFile();
    return (
      [`/${file}.ts`, `/${file}.d.ts`].some((end) => fileName.endsWith(end)) && packageOf(fileName) === 'everywire'
    );
  });
}

function packageOf(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      return (JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { name?: string }).name;
    } catch {
      // There is none here.
    }
    if (folder === dirname(folder)) return undefined;
  }
}

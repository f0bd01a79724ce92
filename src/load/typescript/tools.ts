import { pathToFileURL } from 'node:url';
import { positionAt } from '../../responses/source-mistake.ts';
import type { SourcePosition } from '../../responses/source-mistake.ts';
import { ModuleError } from '../module-error.ts';

/** The packages that compile. Not imported statically: a build that is one file would need them to start. */
export async function loadTools() {
  const [{ transformSync }, { parse }, { createJiti }] = await Promise.all([
    loadTransformer(),
    import('es-module-lexer'),
    import('jiti'),
  ]);
  return { transformSync, parse, createJiti };
}

/** Not by its name: the bundler of Next.js would follow it to files that exist on other platforms only. */
async function loadTransformer(): Promise<typeof import('oxc-transform')> {
  try {
    const { resolve } = process.getBuiltinModule('node:module').createRequire(import.meta.url);
    return (await import(pathToFileURL(resolve('oxc-transform')).href)) as typeof import('oxc-transform');
  } catch (cause) {
    // Its binary for this platform is an optional package, which npm leaves out with --omit=optional.
    throw new ModuleError('TypeScript needs oxc-transform, which cannot be loaded: npm install oxc-transform', {
      cause,
    });
  }
}

/** The position of an offset of oxc-transform, which counts bytes of UTF-8. */
export function positionAtByte(source: string, offset: number): SourcePosition {
  return positionAt(source, Buffer.from(source).subarray(0, offset).toString().length);
}

export type Tools = Awaited<ReturnType<typeof loadTools>>;

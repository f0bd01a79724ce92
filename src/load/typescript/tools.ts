import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { positionAt } from '../../responses/source-mistake.ts';
import type { SourcePosition } from '../../responses/source-mistake.ts';
import { ModuleError } from '../module-error.ts';

/**
 * The packages that compile. Not imported statically: a build that is one file would need them to start. Two of them not by
 * their names: the bundlers of Next.js would follow one to files that exist on other platforms only, and warn of the other.
 */
export async function loadTools() {
  const require = createRequire(import.meta.url);
  const [{ transformSync }, { parse }] = await Promise.all([loadTransformer(require), import('es-module-lexer')]);
  const { createJiti } = require('jiti') as typeof import('jiti');
  return { transformSync, parse, createJiti };
}

async function loadTransformer({ resolve }: NodeJS.Require): Promise<typeof import('oxc-transform')> {
  try {
    const url = pathToFileURL(resolve('oxc-transform')).href;
    return (await import(/* webpackIgnore: true */ url)) as typeof import('oxc-transform');
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

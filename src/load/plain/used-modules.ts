import type { Described } from './describe-cached.ts';

export interface UsedModule extends Described {
  readonly path: string;
}

/** On the global object, since the app may import another copy of this package than the one that builds it. */
const USED: unique symbol = Symbol.for('everywire.usedModules') as never;

type Global = typeof globalThis & { [USED]?: UsedModule[] };

/** Collects what fromModule reads while something is loaded. */
export async function collectUsed<T>(load: () => Promise<T>): Promise<[result: T, used: readonly UsedModule[]]> {
  const used: UsedModule[] = ((globalThis as Global)[USED] = []);
  try {
    return [await load(), used];
  } finally {
    delete (globalThis as Global)[USED];
  }
}

export function noteUsed(module: UsedModule): void {
  const used = (globalThis as Global)[USED];
  if (used?.some(({ path }) => path === module.path) === false) used.push(module);
}

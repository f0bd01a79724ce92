import { dirname, join, relative } from 'node:path';
import type { FunctionDescription, Position, Refusal } from '../../sources/module/description.ts';
import { ModuleError } from '../module-error.ts';
import { describeCached } from './describe-cached.ts';
import type { Described } from './describe-cached.ts';

export interface ReadModules {
  readonly modules: readonly (Described & { readonly path: string })[];
  /** Functions that cannot be served. */
  readonly refusals: readonly Refusal[];
}

/** Reads plain modules, without running them. Two functions of one name are a mistake. */
export async function readModules(paths: readonly string[]): Promise<ReadModules> {
  const modules = [];
  // One after another: reading a module takes a whole core.
  for (const path of paths) modules.push({ path, ...(await describeCached(path)) });
  refuseClashes(modules.flatMap(({ path, description }) => description.functions.map((fn) => [fn, path] as const)));
  return {
    modules,
    refusals: modules.flatMap(({ path, description }) =>
      description.refusals.map((one) => ({ ...one, file: placeOf(one, path) })),
    ),
  };
}

function refuseClashes(functions: readonly (readonly [FunctionDescription, path: string])[]): void {
  const known = new Map<string, () => string>();
  const clashes: string[] = [];
  for (const [{ name, position }, path] of functions) {
    // Asking for the current folder takes longer than all the rest.
    const place = () => `${placeOf(position, path)}:${position.line}:${position.column}`;
    const other = known.get(name);
    if (other === undefined) known.set(name, place);
    else clashes.push(`${name} is exported twice, at ${other()} and at ${place()}`);
  }
  if (clashes.length > 0)
    throw new ModuleError(
      `${clashes.join('\n')}\nRename one, or put it into a group: export * as orders from './orders.ts'`,
    );
}

/** From the current folder, as messages name files. */
export function shownFile(path: string): string {
  const near = relative('', path);
  return near.startsWith('..') ? path : near;
}

export const placeOf = ({ file }: Position, module: string): string => shownFile(join(dirname(module), file));

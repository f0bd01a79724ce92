import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findFunction } from '../../sources/module/bind/find-function.ts';
import type { FunctionDescription, Refusal } from '../../sources/module/description.ts';
import { placeOf } from './read-modules.ts';
import type { ReadModules } from './read-modules.ts';

/**
 * Leaves out functions that modules do not have when they run, and in an app of plain modules those that need access rules, with a
 * refusal for each: the others are served. Exports are in the order of the modules.
 */
export function withoutUnservable(
  { modules, refusals }: ReadModules,
  exports: readonly object[],
  hasAccess: boolean,
): ReadModules {
  const unservable: Refusal[] = [];
  const served = modules.map((module, i) => {
    const functions = module.description.functions.filter((fn) => {
      const reason = !isIn(exports[i]!, fn) ? MISSING : fn.scopes && !hasAccess ? needsAccess(module.path) : undefined;
      if (reason !== undefined) unservable.push(toRefusal(fn, module.path, reason));
      return reason === undefined;
    });
    const isWhole = functions.length === module.description.functions.length;
    return isWhole ? module : { ...module, description: { ...module.description, functions } };
  });
  return { modules: served, refusals: [...refusals, ...unservable] };
}

const MISSING = 'The module does not export it when it runs; export a value, or mark it with @internal';

const needsAccess = (path: string) =>
  `@scope needs access rules: createApp({ …, functions: await fromModule('./${basename(path)}'), access: { … } })`;

function isIn(exports: object, fn: FunctionDescription): boolean {
  try {
    findFunction(fn, exports, new Map());
    return true;
  } catch {
    return false; // its refusal says so
  }
}

function toRefusal({ name, position }: FunctionDescription, module: string, reason: string): Refusal {
  return { name, ...position, file: placeOf(position, module), source: lineAt(position, module), reason };
}

function lineAt({ file, line }: FunctionDescription['position'], module: string): string {
  try {
    return readFileSync(join(dirname(module), file), 'utf8').split(/\r?\n/)[line - 1] ?? '';
  } catch {
    return ''; // the file is gone: the refusal still has its place
  }
}

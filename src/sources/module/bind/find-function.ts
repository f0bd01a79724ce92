import type { FunctionDescription } from '../description.ts';

type Callable = (...parameters: unknown[]) => unknown;

/** Finds a function among the exports of a module. Objects are created with the first call. */
export function findFunction(
  { name, path, of }: FunctionDescription,
  exports: object,
  instances: Map<string, unknown>,
): (parameters: unknown[]) => unknown {
  const owner = path.slice(0, -1);
  const key = path.at(-1)!;
  const parent = follow(exports, owner, name);
  if (of === 'exports') return bound(parent, key, name);
  const create = parent as new () => object;
  if (typeof create !== 'function') throw new TypeError(`The module has no class for ${name}`);
  return (parameters) => {
    const id = owner.join('.');
    if (!instances.has(id)) instances.set(id, new create());
    return bound(instances.get(id), key, name)(parameters);
  };
}

function bound(parent: unknown, key: string, name: string): (parameters: unknown[]) => unknown {
  const found = (parent as Record<string, unknown>)[key];
  if (typeof found !== 'function') throw new TypeError(`The module does not export ${name} as a function`);
  return (parameters) => Reflect.apply(found as Callable, parent, parameters);
}

function follow(exports: object, path: readonly string[], name: string): unknown {
  let value: unknown = exports;
  for (const key of path) {
    const isObject = (typeof value === 'object' || typeof value === 'function') && value !== null;
    if (!isObject || !(key in (value as object))) throw new TypeError(`The module does not export ${name}`);
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

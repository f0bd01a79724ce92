import type { FunctionDefinition } from './function.ts';
import type { Names } from './names.ts';
import { problemsBetweenPaths } from './path-conflicts.ts';
import { readDefinition } from './read-definition.ts';
import type { ReadOptions } from './read-definition.ts';
import type { RegisteredFunction } from './registered-function.ts';

export interface Registry {
  /** In the author's order. */
  readonly functions: readonly RegisteredFunction[];
  /** Finds a function by name, operationId or alias. */
  find(name: string): RegisteredFunction | undefined;
}

const KINDS = { functions: 'function', resources: 'resource', prompts: 'prompt' } as const;

/** Registers all functions, and adds everything that is wrong with them to `problems`. */
export function createRegistry(
  definitions: readonly FunctionDefinition[],
  options: ReadOptions,
  problems: string[],
  what: keyof typeof KINDS = 'functions',
): Registry {
  const functions: RegisteredFunction[] = [];
  const byName = new Map<string, RegisteredFunction>();
  const places = new Map<string, string>();

  for (const [index, definition] of definitions.entries()) {
    const place = `${what}[${index}]${definition?.name ? ` "${definition.name}"` : ''}`;
    const found = readDefinition(definition, options, KINDS[what]);
    problems.push(...found.problems.map((problem) => `${place}: ${problem}`));
    options.undescribed.push(...(found.undescribed ?? []).map((problem) => `${place}: ${problem}`));
    if (!found.names) continue;
    const first = allNames(found.names).find((name) => places.has(name));
    if (first) problems.push(`${place}: shares the ${first} with ${places.get(first)}`);
    for (const name of allNames(found.names)) places.set(name, places.get(name) ?? place);
    if (!found.registered) continue;
    functions.push(found.registered);
    for (const name of callable(found.names)) byName.set(name, found.registered);
  }
  const registry: Registry = { functions, find: (name) => byName.get(name) };
  problems.push(...problemsBetweenPaths(registry).map((problem) => `${what}: ${problem}`));
  return registry;
}

const callable = ({ name, operationId, alias }: Names): Set<string> => new Set([name, operationId, alias]);

/** All names that must be unique. Command names are a separate namespace. */
function allNames(names: Names): string[] {
  return [...[...callable(names)].map((name) => `name "${name}"`), `command "${names.command}"`];
}

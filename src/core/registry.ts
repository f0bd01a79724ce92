import type { FunctionDefinition } from './function.ts';
import type { Names } from './names.ts';
import { readDefinition } from './read-definition.ts';
import type { ReadOptions } from './read-definition.ts';
import type { RegisteredFunction } from './registered-function.ts';

export interface Registry {
  /** In the order the author gave them. */
  readonly functions: readonly RegisteredFunction[];
  /** By name, operationId, or its name under the other policy. */
  find(name: string): RegisteredFunction | undefined;
}

const KINDS = { functions: 'function', resources: 'resource', prompts: 'prompt' } as const;

/** Registers every function, or reports everything that is wrong with any of them. */
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
    if (!found.names) continue;
    const first = allNames(found.names).find((name) => places.has(name));
    if (first) problems.push(`${place}: shares the ${first} with ${places.get(first)}`);
    for (const name of allNames(found.names)) places.set(name, places.get(name) ?? place);
    if (!found.registered) continue;
    functions.push(found.registered);
    for (const name of callable(found.names)) byName.set(name, found.registered);
  }
  return { functions, find: (name) => byName.get(name) };
}

const callable = ({ name, operationId, alias }: Names): Set<string> => new Set([name, operationId, alias]);

/** Names by which two functions could be mistaken for each other. Commands are a space of their own. */
function allNames(names: Names): string[] {
  return [...[...callable(names)].map((name) => `name "${name}"`), `command "${names.command}"`];
}

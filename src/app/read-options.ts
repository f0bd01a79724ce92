import { isRecord } from '../schema/json-schema.ts';
import type { Log } from '../core/context.ts';
import { limitsFrom } from '../core/limits.ts';
import type { Limits } from '../core/limits.ts';
import { createPrompts } from '../core/prompts.ts';
import type { Prompts } from '../core/prompts.ts';
import type { ReadOptions } from '../core/read-definition.ts';
import { createRegistry } from '../core/registry.ts';
import type { Registry } from '../core/registry.ts';
import { createResources } from '../core/resources.ts';
import type { Resources } from '../core/resources.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import type { AppOptions } from './app.ts';
import { AppError } from './app-error.ts';
import { problemsInStore } from './app-store.ts';
import { problemsInOptions } from './check-options.ts';
import { problemsInTaskKey } from './tasks.ts';

/** What an app serves, and how its definitions were read. */
interface Definitions {
  readonly limits: Limits;
  readonly registry: Registry;
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly reading: ReadOptions;
}

/** Throws an AppError that lists every mistake in the definitions and options. */
export function readOptions(options: AppOptions, log: Log): Definitions {
  const { name, functions, strict = false, coerce = true, names = 'spec' } = options;
  const problems: string[] = [];
  const limits = limitsFrom(options.limits ?? {}, problems);
  problems.push(...problemsInOptions(options));
  // Missing descriptions are mistakes, one warning, or nothing.
  const undescribed = options.descriptions === 'required' ? problems : [];
  const reading: ReadOptions = {
    names: names === 'portable' ? names : 'spec',
    strict,
    coerce,
    readMethod: options.http?.method,
    limits,
    thrown: problems.length > 0 ? undefined : options.thrown, // it may be anything
    undescribed,
    log,
  };
  const registry = createRegistry(Array.isArray(functions) ? functions : [], reading, problems);
  const resources = createResources(objectsIn('resources', options.resources, problems), reading, problems);
  const prompts = createPrompts(objectsIn('prompts', options.prompts, problems), reading, problems);
  if (!options.access)
    problems.push(...scopesWithoutAccess([...registry.functions, ...resources.functions, ...prompts.functions]));
  problems.push(...problemsInStore(options));
  if (registry.functions.some(({ task }) => task !== 'never')) problems.push(...problemsInTaskKey());
  if (problems.length > 0) throw new AppError(name, problems);
  if (undescribed.length > 0 && options.descriptions !== 'optional') log.warn(missingDescriptions(name, undescribed));
  return { limits, registry, resources, prompts, reading };
}

/** The definitions of an option, if it is a list of objects. */
function objectsIn<T extends object>(name: string, given: readonly T[] | undefined, problems: string[]): readonly T[] {
  if (given === undefined) return [];
  if (Array.isArray(given) && [...given].every(isRecord)) return given;
  problems.push(`${name} must be a list of objects`);
  return [];
}

/** Agents choose tools and arguments by their descriptions, and people read them in help. */
function missingDescriptions(app: string, undescribed: readonly string[]): string {
  const missing = undescribed.map((place) => place.replace(/ has no description$/, ''));
  return `Missing descriptions in app "${app}": ${missing.join('; ')}`;
}

/** Scopes that nobody checks would be worse than none. */
function scopesWithoutAccess(functions: readonly RegisteredFunction[]): string[] {
  return functions
    .filter(({ definition }) => definition.scopes !== undefined)
    .map(({ operationId }) => `${operationId}: scopes need createApp({ access: { … } }), which recognises callers`);
}

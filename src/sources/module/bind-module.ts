import type { FunctionDefinition } from '../../core/function.ts';
import type { Context } from '../../core/context.ts';
import { compileProject } from './bind/project.ts';
import { hasShapes, publicSchema } from './bind/public-schema.ts';
import { compileShapes } from './bind/revive.ts';
import { projectStream } from './bind/stream.ts';
import { findFunction } from './bind/find-function.ts';
import type { FunctionDescription, ModuleDescription, ResultDescription } from './description.ts';

/**
 * Joins what was read in a module with the module itself. Needs no compiler. Throws if the module does not have what was
 * read in it.
 */
export function bindModule(description: ModuleDescription, exports: object): FunctionDefinition[] {
  const instances = new Map<string, unknown>();
  return description.functions.map((fn) => bindFunction(fn, exports, instances));
}

function bindFunction(fn: FunctionDescription, exports: object, instances: Map<string, unknown>): FunctionDefinition {
  const { name, description, title, hints, scopes, task, errors, examples, isDeprecated } = fn;
  const call = findFunction(fn, exports, instances);
  const revive = hasShapes(fn.input) ? compileShapes(fn.input) : undefined;
  const release = compileResult(fn.result);
  const releaseChunk = fn.yields && compileProject(fn.yields);
  const hasInput = fn.parameters.some(({ kind }) => kind !== 'context');
  return Object.freeze({
    name,
    description,
    ...(isDeprecated && { deprecated: true }),
    ...(title !== undefined && { title }),
    ...(hints && { hints }),
    ...(scopes && { scopes }),
    ...(task && { task }),
    ...(errors && { errors }),
    ...(examples && { examples }),
    ...(hasInput && { input: publicSchema(fn.input) }),
    ...toOutput(fn.result),
    ...(fn.yields && { yields: publicSchema(fn.yields) }),
    run(input: unknown, context: Context) {
      const returned = call(argumentsOf(fn, revive ? revive(input) : input, context));
      if (releaseChunk) return projectStream(returned, releaseChunk, release);
      return isThenable(returned) ? Promise.resolve(returned).then(release) : release(returned);
    },
  } satisfies FunctionDefinition);
}

function toOutput(result: ResultDescription): Pick<FunctionDefinition, 'output' | 'outputs'> {
  if (result.kind === 'none') return {};
  return result.kind === 'one'
    ? { output: publicSchema(result.schema) }
    : { outputs: result.schemas.map(publicSchema) };
}

function argumentsOf({ parameters }: FunctionDescription, input: unknown, context: Context): unknown[] {
  const fields = input as Record<string, unknown>;
  const given = parameters.flatMap((parameter) => {
    if (parameter.kind === 'context') return [context];
    if (parameter.kind === 'input') return [parameter.hasDefault && isNothing(fields) ? undefined : input];
    const value = Object.hasOwn(fields, parameter.name) ? fields[parameter.name] : undefined;
    return parameter.isRest ? (value ?? []) : [value];
  });
  // Some functions count their arguments.
  while (given.length > 0 && given.at(-1) === undefined) given.pop();
  return given;
}

const isNothing = (fields: Record<string, unknown>) => Object.values(fields).every((field) => field === undefined);

type Release = (value: unknown) => unknown;

/** A returned Failure is an error, and no data. */
function compileResult(result: ResultDescription): Release {
  if (result.kind === 'none') return (value) => (value instanceof Error ? value : undefined);
  const each = (result.kind === 'one' ? [result.schema] : result.schemas).map(compileProject);
  return (value) => {
    if (value instanceof Error) return value;
    if (result.kind === 'one') return each[0]!(value);
    return Array.isArray(value) ? value.map((item, i) => (each[i] ? each[i](item) : item)) : value;
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

import { compileRevive, hasFiles, hasWireForms } from '../schema/revive.ts';
import type { Revive } from '../schema/revive.ts';
import { compileArguments, compileChunks, compileResults, compileReturned } from './input-output.ts';
import { problemsInCli } from './definition-cli.ts';
import { readHttp } from './definition-http.ts';
import { returnsFile, withFiles } from './file-outputs.ts';
import { isNonBlank, problemsInDefinition, problemsInExamples } from './definition-problems.ts';
import { readInput, readReturned, readYields } from './definition-schemas.ts';
import type { ThrownOptions } from './codes.ts';
import { compileThrown, messageOf } from './failure.ts';
import type { FunctionDefinition } from './function.ts';
import { namesOf, problemsInNames } from './names.ts';
import type { NamePolicy, Names } from './names.ts';
import type { Limits } from './limits.ts';
import type { Log } from './context.ts';
import type { Kind, RegisteredFunction } from './registered-function.ts';
import { stackOf } from './report.ts';
import { safely } from './safely.ts';
import { releaseNothing } from './undeclared.ts';

/** Options of the app that apply to every function. */
export interface ReadOptions {
  readonly names: NamePolicy;
  readonly strict: boolean;
  readonly coerce: boolean;
  /** The HTTP method of functions that change nothing; POST by default. */
  readonly readMethod?: 'GET' | undefined;
  readonly limits: Limits;
  readonly thrown?: ThrownOptions | undefined;
  /** Collects the missing descriptions of parameters and outputs. */
  readonly undescribed: string[];
  /** Must not throw. */
  readonly log: Log;
}

interface ReadDefinition {
  readonly problems: readonly string[];
  readonly undescribed?: readonly string[];
  readonly names?: Names;
  readonly registered?: RegisteredFunction;
}

export function readDefinition(definition: FunctionDefinition, options: ReadOptions, kind: Kind): ReadDefinition {
  if (typeof definition?.name !== 'string') return { problems: ['has no name'] };
  if (definition.operationId !== undefined && typeof definition.operationId !== 'string') {
    return { problems: ['operationId must be a string'] };
  }
  const names = namesOf(definition.name, definition.operationId, options.names);
  const problems = [...problemsInNames(names, options.names), ...problemsInDefinition(definition)];
  const undescribed: string[] = [];
  const input = readInput(definition, problems, undescribed);
  const returned = readReturned(definition, problems, undescribed);
  const yields = readYields(definition, problems, undescribed);
  const http = readHttp(definition, input?.json ?? {}, kind === 'function' ? options.readMethod : undefined, problems);
  if (input) problems.push(...problemsInCli(definition, input.json));
  if (problems.length > 0 || !input || !returned) return { problems, undescribed, names };

  const { classes, ownCodes } = options.thrown ?? {};
  const served = classes ? withClasses(definition, classes) : definition;
  const { strict = options.strict, coerce = options.coerce } = definition;
  const admit = compileArguments(input, { strict, coerce, bounds: options.limits });
  const revive = compileReturned(returned);
  const hasForms = hasWireForms(input.json);
  const registered: RegisteredFunction = {
    kind,
    ...names,
    // A file is a wire form: what has none has no files.
    ...(revive ? withFiles(returned, options.limits) : compileResults(returned, options.limits.depth)),
    ...(returned.kind === 'none' && kind === 'function' && { release: releaseNothing(names.operationId, options.log) }),
    title: definition.title ?? definition.name,
    // Only OpenAPI has a field for it; agents and people read the description.
    description: definition.deprecated ? `Deprecated. ${definition.description}` : definition.description,
    definition: served,
    inputSchema: input.json,
    returned,
    yields,
    releaseChunk: compileChunks(yields, options.limits.depth),
    reviveChunk: yields && compileRevive(yields.json, false),
    parse: input.parse,
    admit,
    strict,
    coerce,
    hasWireForms: hasForms,
    takesFiles: hasForms && hasFiles(input.json),
    returnsFile: revive !== undefined && returnsFile(returned),
    revive,
    describeResult: wrapDescribe(definition.describe, revive, (thrown) =>
      options.log.error(messageOf(thrown), {
        operationId: names.operationId,
        part: 'describe',
        stack: stackOf(thrown),
      }),
    ),
    toFailure: compileThrown(served.errors, ownCodes),
    timeout: definition.timeout ?? options.limits.timeout,
    http,
    task: definition.task ?? 'never',
  };
  return { problems: problemsInExamples(registered), undescribed, names, registered };
}

/** A definition with the errors that the app declares for all functions. */
function withClasses(
  definition: FunctionDefinition,
  classes: NonNullable<ThrownOptions['classes']>,
): FunctionDefinition {
  const all = Object.entries({ ...classes, ...definition.errors });
  const errors = Object.fromEntries(all.map(([code, error]) => [code, { ...classes[code], ...error }]));
  return Object.freeze({ ...definition, errors });
}

/** Wraps the author's `describe`. If it throws, the text is generated from the data. */
function wrapDescribe(
  describe: FunctionDefinition['describe'],
  revive: Revive | undefined,
  onFailure: (thrown: unknown) => void,
): RegisteredFunction['describeResult'] {
  if (!describe) return undefined;
  return (data) => {
    const text: unknown = safely(() => describe(revive ? revive(data) : data), onFailure);
    return isNonBlank(text) ? (text as string).toWellFormed() : undefined;
  };
}

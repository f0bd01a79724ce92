import { isRecord } from '../schema/json-schema.ts';
import { problemsInFunctionRates } from './check-rates.ts';
import { isCode } from './failure.ts';
import type { DeclaredError, DeclaredErrors } from './codes.ts';
import type { Example, FunctionDefinition, Hints } from './function.ts';
import { isScopeList } from './principal.ts';
import type { RegisteredFunction } from './registered-function.ts';
import type { TaskMode } from './task.ts';
import { unknownOptions } from './unknown-options.ts';
import type { Known } from './unknown-options.ts';

const FUNCTION_OPTIONS = {
  name: true,
  description: true,
  operationId: true,
  title: true,
  tags: true,
  errors: true,
  hints: true,
  deprecated: true,
  scopes: true,
  rate: true,
  concurrent: true,
  http: true,
  cli: true,
  timeout: true,
  task: true,
  taskTimeout: true,
  taskTtl: true,
  examples: true,
  strict: true,
  coerce: true,
  input: true,
  output: true,
  outputs: true,
  yields: true,
  describe: true,
  beforeTask: true,
  run: true,
  '~types': true,
  '~needs': true,
} satisfies Known<FunctionDefinition>;

const HINTS = { readOnly: true, idempotent: true, destructive: true } satisfies Known<Hints>;
const ERROR_OPTIONS = { description: true, status: true, retry: true, class: true } satisfies Known<DeclaredError>;
const EXAMPLE_OPTIONS = { title: true, input: true, output: true } satisfies Known<Example>;

/** Checks everything in a definition except names and schemas. */
export function problemsInDefinition(definition: FunctionDefinition): string[] {
  const { description, run, describe, errors = {}, timeout, rate, concurrent } = definition;
  const problems = [
    ...unknownOptions(definition, FUNCTION_OPTIONS),
    ...unknownOptions(definition.hints, HINTS, 'hints'),
  ];
  if (!isNonBlank(description)) problems.push('has no description');
  if (typeof run !== 'function') problems.push('has no run function');
  if (!isDeclaredScopes(definition.scopes))
    problems.push('scopes must be a list of strings without spaces, a function that returns one, or "public"');
  const { deprecated } = definition;
  if (deprecated !== undefined && typeof deprecated !== 'boolean') problems.push('deprecated must be true or false');
  if (describe !== undefined && typeof describe !== 'function') problems.push('describe must be a function');
  if (rate !== undefined) problems.push(...problemsInFunctionRates(rate));
  if (concurrent !== undefined && !(Number.isInteger(concurrent) && concurrent > 0))
    problems.push(`concurrent must be a positive integer, not ${String(concurrent)}`);
  return [
    ...problems,
    ...problemsInErrors(errors),
    ...problemsInTime('timeout', timeout),
    ...problemsInTask(definition),
  ];
}

function isDeclaredScopes(scopes: unknown): boolean {
  return scopes === undefined || scopes === 'public' || typeof scopes === 'function' || isScopeList(scopes);
}

function problemsInTime(name: string, value: number | undefined): string[] {
  const isValid = value === undefined || (Number.isSafeInteger(value) && value >= 0);
  return isValid ? [] : [`${name} must be a non-negative integer (milliseconds), not ${value}`];
}

const TASK_MODES: ReadonlySet<unknown> = new Set(['never', 'allowed', 'always'] satisfies TaskMode[]);

function problemsInTask({ task = 'never', taskTimeout, taskTtl, beforeTask }: FunctionDefinition): string[] {
  const problems = [...problemsInTime('taskTimeout', taskTimeout), ...problemsInTime('taskTtl', taskTtl)];
  if (!TASK_MODES.has(task)) problems.push(`task must be "never", "allowed" or "always", not ${JSON.stringify(task)}`);
  if (beforeTask !== undefined && typeof beforeTask !== 'function') problems.push('beforeTask must be a function');
  const needless = Object.entries({ taskTimeout, taskTtl, beforeTask }).filter(([, value]) => value !== undefined);
  if (task === 'never') problems.push(...needless.map(([name]) => `${name} needs task: "allowed" or "always"`));
  return problems;
}

export function problemsInErrors(errors: DeclaredErrors, place = 'errors'): string[] {
  if (!isRecord(errors)) return [`${place} must be an object of codes`];
  return Object.entries(errors).flatMap(([code, declared]) => {
    const { description, status = 422, class: of = 'Error' } = declared ?? {};
    return [
      ...unknownOptions(declared, ERROR_OPTIONS, `${place}: "${code}"`),
      ...(isCode(code) ? [] : [`${place}: invalid code "${code}" (only letters, digits and "_"; OK is reserved)`]),
      ...(isNonBlank(description) ? [] : [`${place}: "${code}" has no description`]),
      ...(Number.isInteger(status) && status >= 400 && status <= 599
        ? []
        : [`${place}: the status of "${code}" must be from 400 to 599, not ${status}`]),
      ...(typeof of === 'function' || (typeof of === 'string' && of !== '')
        ? []
        : [`${place}: the class of "${code}" must be a class, or the name of one`]),
    ];
  });
}

/** The input and the output of every example must match the schemas. */
export function problemsInExamples({ definition, admit, confirm }: RegisteredFunction): string[] {
  const { examples = [] } = definition;
  if (!Array.isArray(examples) || examples.some((example) => typeof example !== 'object' || example === null)) {
    return ['examples must be a list of objects'];
  }
  return (examples as readonly Example[]).flatMap((example, i) => {
    const { input, output } = example;
    const inInput = admit(input).problems ?? [];
    const inOutput = (output === undefined ? undefined : confirm(output).problems) ?? [];
    return [
      ...unknownOptions(example, EXAMPLE_OPTIONS, `examples[${i}]`),
      ...inInput.map(({ pointer, message }) => `examples[${i}].input${pointer}: ${message}`),
      ...inOutput.map(({ pointer, message }) => `examples[${i}].output${pointer}: ${message}`),
    ];
  });
}

export function isNonBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

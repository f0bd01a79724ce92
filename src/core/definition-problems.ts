import { isCode } from './failure.ts';
import type { DeclaredErrors } from './codes.ts';
import type { Example, FunctionDefinition } from './function.ts';
import type { RegisteredFunction } from './registered-function.ts';

/** Checks everything in a definition except names and schemas. */
export function problemsInDefinition({
  description,
  run,
  describe,
  errors = {},
  timeout,
}: FunctionDefinition): string[] {
  const problems: string[] = [];
  if (!isNonBlank(description)) problems.push('has no description');
  if (typeof run !== 'function') problems.push('has no run function');
  if (describe !== undefined && typeof describe !== 'function') problems.push('describe must be a function');
  return [...problems, ...problemsInErrors(errors), ...problemsInTimeout(timeout)];
}

function problemsInTimeout(timeout: number | undefined): string[] {
  const isValid = timeout === undefined || (Number.isInteger(timeout) && timeout >= 0);
  return isValid ? [] : [`timeout must be a non-negative integer (milliseconds), not ${timeout}`];
}

function problemsInErrors(errors: DeclaredErrors): string[] {
  return Object.entries(errors).flatMap(([code, declared]) => {
    const { description, status = 422 } = declared ?? {};
    return [
      ...(isCode(code) ? [] : [`errors: invalid code "${code}" (only letters, digits and "_"; OK is reserved)`]),
      ...(isNonBlank(description) ? [] : [`errors: "${code}" has no description`]),
      ...(Number.isInteger(status) && status >= 400 && status <= 599
        ? []
        : [`errors: the status of "${code}" must be from 400 to 599, not ${status}`]),
    ];
  });
}

/** The input and the output of every example must match the schemas. */
export function problemsInExamples({ definition, admit, confirm }: RegisteredFunction): string[] {
  const { examples = [] } = definition;
  if (!Array.isArray(examples) || examples.some((example) => typeof example !== 'object' || example === null)) {
    return ['examples must be a list of objects'];
  }
  return (examples as readonly Example[]).flatMap(({ input, output }, i) => {
    const inInput = admit(input).problems ?? [];
    const inOutput = (output === undefined ? undefined : confirm(output).problems) ?? [];
    return [
      ...inInput.map(({ pointer, message }) => `examples[${i}].input${pointer}: ${message}`),
      ...inOutput.map(({ pointer, message }) => `examples[${i}].output${pointer}: ${message}`),
    ];
  });
}

export function isNonBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

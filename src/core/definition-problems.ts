import { isCode } from './failure.ts';
import type { DeclaredErrors } from './codes.ts';
import type { Example, FunctionDefinition } from './function.ts';
import type { RegisteredFunction } from './registered-function.ts';

/** What is wrong with a definition, apart from its names and its schemas. */
export function problemsInDefinition({
  description,
  run,
  describe,
  errors = {},
  timeout,
}: FunctionDefinition): string[] {
  const problems: string[] = [];
  if (!isText(description)) problems.push('has no description');
  if (typeof run !== 'function') problems.push('has no run function');
  if (describe !== undefined && typeof describe !== 'function') problems.push('describe must be a function');
  return [...problems, ...problemsInErrors(errors), ...problemsInTimeout(timeout)];
}

function problemsInTimeout(timeout: number | undefined): string[] {
  const right = timeout === undefined || (Number.isInteger(timeout) && timeout >= 0);
  return right ? [] : [`timeout must be a whole number of milliseconds, 0 or more, not ${timeout}`];
}

function problemsInErrors(errors: DeclaredErrors): string[] {
  return Object.entries(errors).flatMap(([code, declared]) => {
    const { description, status = 422 } = declared ?? {};
    return [
      ...(isCode(code) ? [] : [`errors: a code is made of letters, digits and "_", unlike "${code}"`]),
      ...(isText(description) ? [] : [`errors: "${code}" has no description`]),
      ...(Number.isInteger(status) && status >= 400 && status <= 599
        ? []
        : [`errors: "${code}" has status ${status}, not one from 400 to 599`]),
    ];
  });
}

/** An example must be a call that succeeds with that result. */
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

export function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

import { explain } from './explain.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Problem } from './problem.ts';
import { compileAccepts } from './validator.ts';

/** Answers undefined when the value is right, else everything that is wrong with it. */
export type Check = (value: unknown) => readonly Problem[] | undefined;

export function compileCheck(schema: JsonSchema): Check {
  const accepts = compileAccepts(schema);
  return (value) => (accepts(value) ? undefined : explain(value, schema));
}

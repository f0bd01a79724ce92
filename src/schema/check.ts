import { explain } from './explain.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Problem } from './problem.ts';
import { compileAccepts } from './validator.ts';
import type { Accepts } from './validator.ts';

/** Answers undefined when the value is right, else everything that is wrong with it. */
export type Check = (value: unknown) => readonly Problem[] | undefined;

/** The validator is made for the first value: a process that answers one call should not wait for all functions of an app. */
export function compileCheck(schema: JsonSchema): Check {
  let accepts: Accepts | undefined;
  return (value) => ((accepts ??= compileAccepts(schema))(value) ? undefined : explain(value, schema));
}

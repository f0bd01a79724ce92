import { engineOf } from './engine/engine.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Problem } from './problem.ts';

/** Answers undefined when the value is right, else what is wrong with it, up to a limit. */
export type Check = (value: unknown) => readonly Problem[] | undefined;

/** Compiled for the first value: a process that answers one call should not wait for all functions of an app. */
export function compileCheck(schema: JsonSchema): Check {
  let judge: ((value: unknown) => boolean) | undefined;
  return (value) => ((judge ??= engineOf(schema).judgeOf(schema))(value) ? undefined : engineOf(schema).explain(value));
}

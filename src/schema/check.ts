import { engineOf } from './engine/engine.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Problem } from './problem.ts';

/** Returns undefined if the value is valid, else its problems, up to a limit. */
export type Check = (value: unknown) => readonly Problem[] | undefined;

/** Compiles on first use: a process that answers one call should not wait for the schemas of all functions. */
export function compileCheck(schema: JsonSchema): Check {
  let judge: ((value: unknown) => boolean) | undefined;
  return (value) => ((judge ??= engineOf(schema).judgeOf(schema))(value) ? undefined : engineOf(schema).explain(value));
}

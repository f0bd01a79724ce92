import { engineOf } from './engine/engine.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Problem } from './problem.ts';

/** Answers undefined when the value is right, else what is wrong with it, up to a limit. */
export type Check = (value: unknown) => readonly Problem[] | undefined;

/** Compiled for the first value: a process that answers one call should not wait for all functions of an app. */
export function compileCheck(schema: JsonSchema): Check {
  return (value) => {
    const engine = engineOf(schema);
    return engine.accepts(value) ? undefined : engine.explain(value);
  };
}

import { engineOf } from './engine/engine.ts';
import type { JsonSchema } from './json-schema.ts';

/** Whether a subschema accepts a value. References in it are resolved in the root. */
export function accepts(value: unknown, part: JsonSchema | boolean, root: JsonSchema): boolean {
  return engineOf(root).accepts(value, part);
}

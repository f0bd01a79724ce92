import { engineOf } from './engine/engine.ts';
import type { JsonSchema } from './json-schema.ts';

/** Whether a part of a schema accepts a value. */
export function accepts(value: unknown, part: JsonSchema | boolean, root: JsonSchema): boolean {
  return engineOf(root).accepts(value, part);
}

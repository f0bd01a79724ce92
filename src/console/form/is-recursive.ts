import type { JsonSchema } from '../../schema/json-schema.ts';
import { lookUp } from '../../schema/pointer.ts';

const known = new WeakMap<JsonSchema, boolean>();

/** Whether a schema leads back to itself, or to something inside it that does: a tree, a linked list. */
export function isRecursive(schema: JsonSchema, root: JsonSchema): boolean {
  let answer = known.get(schema);
  if (answer === undefined) known.set(schema, (answer = hasCycle(schema, root, new Set(), new Set())));
  return answer;
}

/** `open`: references that are being followed; `done`: those that were followed before. */
function hasCycle(part: unknown, root: JsonSchema, open: Set<string>, done: Set<string>): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const { $ref, $defs: _, ...rest } = part as JsonSchema;
  if (typeof $ref === 'string' && open.has($ref)) return true;
  if (typeof $ref === 'string' && !done.has($ref)) {
    open.add($ref);
    if (hasCycle(lookUp(root, $ref), root, open, done)) return true;
    open.delete($ref);
    done.add($ref);
  }
  return Object.values(rest).some((inner) => hasCycle(inner, root, open, done));
}

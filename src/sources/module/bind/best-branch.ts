import type { JsonSchema } from '../../../schema/json-schema.ts';
import { resolve } from '../../../schema/schema-tree.ts';

/** If several members of a union fit a value, the one that says most about it. Undefined if there is none. */
export function bestBranch(value: unknown, branches: readonly JsonSchema[], root: JsonSchema): JsonSchema | undefined {
  const [first, ...others] = branches;
  if (!first || others.length === 0 || typeof value !== 'object' || value === null) return first;
  const score = (branch: JsonSchema) =>
    Object.keys(resolve({ schema: branch, root }).properties ?? {}).filter((name) => name in value).length;
  return others.reduce((best, branch) => (score(branch) > score(best) ? branch : best), first);
}

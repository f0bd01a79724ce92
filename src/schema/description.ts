import { isRecord } from './json-schema.ts';
import { branchesOf, resolve } from './schema-tree.ts';
import type { RootedSchema } from './schema-tree.ts';

/** Where a description is looked for: a reference to a reference, in a part of a part. */
const MAX_DEPTH = 8;

/**
 * The description of a value: on its schema, behind a reference, in a part that always applies, or on the only branch of a
 * union that is not null. Undefined if there is none, or only white space.
 */
export function descriptionOf({ schema, root }: RootedSchema, depth = 0): string | undefined {
  const resolved = resolve({ schema, root });
  const { description } = resolved;
  if (typeof description === 'string' && description.trim() !== '') return description;
  if (depth === MAX_DEPTH) return undefined;
  const branches = branchesOf(resolved)?.filter((branch) => isRecord(branch) && branch.type !== 'null') ?? [];
  const parts = [...(branches.length === 1 ? branches : []), ...listOf(resolved['allOf'])];
  for (const part of parts) {
    const found = isRecord(part) ? descriptionOf({ schema: part, root }, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

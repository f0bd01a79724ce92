import type { JsonSchema } from '../../schema/json-schema.ts';
import { branchesOf, typesOf } from '../../schema/schema-tree.ts';
import { leafParametersOf } from '../../schema/leaf-parameters.ts';
import type { LeafParameter } from '../../schema/leaf-parameters.ts';

/** A parameter as a flag on the command line. Its name is without dashes. */
export interface Flag extends LeafParameter {
  /** `switch` is on or off (`--loud`, `--no-loud`); `list` may be given more than once. */
  readonly kind: 'value' | 'switch' | 'list';
}

/**
 * The flags of a function, from its input schema. A reserved name gets the prefix `arg-`. A parameter whose
 * name cannot be a flag, or is taken, can only be passed with --input.
 */
export function flagsOf(root: JsonSchema, reserved: ReadonlySet<string>): Flag[] {
  const taken = new Set(reserved);
  return leafParametersOf(root)
    .map((leaf): Flag => ({
      ...leaf,
      name: reserved.has(leaf.name) ? `arg-${leaf.name}` : leaf.name,
      kind: kindOf(leaf.schema),
    }))
    .filter((flag) => {
      const names = flag.kind === 'switch' ? [flag.name, `no-${flag.name}`] : [flag.name];
      const free = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(flag.name) && !names.some((name) => taken.has(name));
      if (free) for (const name of names) taken.add(name);
      return free;
    });
}

function kindOf(schema: JsonSchema): Flag['kind'] {
  const types = (branchesOf(schema)?.flatMap((branch) => typesOf(branch) ?? ['string']) ?? typesOf(schema))?.filter(
    (type) => type !== 'null',
  );
  if (types?.length !== 1) return 'value';
  if (types[0] === 'boolean') return 'switch';
  return types[0] === 'array' ? 'list' : 'value';
}

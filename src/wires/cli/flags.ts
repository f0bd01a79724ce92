import type { JsonSchema } from '../../schema/json-schema.ts';
import { branchesOf, propertiesOf, resolve, typesOf } from '../../schema/schema-tree.ts';

/** A parameter as a flag on the command line. */
export interface Flag {
  /** Without dashes: `x`, or `address.city` for a field of an object. */
  readonly name: string;
  /** Where the value goes in the arguments. */
  readonly path: readonly string[];
  /** `switch` is on or off (`--loud`, `--no-loud`); `list` may be given more than once. */
  readonly kind: 'value' | 'switch' | 'list';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** Nested objects get dotted flags up to this depth; deeper ones are passed as JSON. */
const MAX_DEPTH = 4;

/**
 * The flags of a function, from its input schema. A reserved name gets the prefix `arg-`. A parameter whose
 * name cannot be a flag, or is taken, can only be passed with --input.
 */
export function flagsOf(root: JsonSchema, reserved: ReadonlySet<string>): Flag[] {
  const taken = new Set(reserved);
  return flagsIn(root, root, [], true)
    .map((flag) => (reserved.has(flag.name) ? { ...flag, name: `arg-${flag.name}` } : flag))
    .filter((flag) => {
      const names = flag.kind === 'switch' ? [flag.name, `no-${flag.name}`] : [flag.name];
      const free = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(flag.name) && !names.some((name) => taken.has(name));
      if (free) for (const name of names) taken.add(name);
      return free;
    });
}

function flagsIn(schema: JsonSchema, root: JsonSchema, path: readonly string[], required: boolean): Flag[] {
  const properties = propertiesOf({ schema, root });
  const entries = properties === 'open' ? Object.entries(schema.properties ?? {}) : [...properties];
  return entries.flatMap(([name, property]) => {
    const here = [...path, name];
    const field = resolve({ schema: property, root });
    const needed = required && (schema.required?.includes(name) ?? false);
    if (field.type === 'object' && here.length < MAX_DEPTH) {
      const inner = flagsIn(field, root, here, needed);
      if (inner.length > 0) return inner;
    }
    return [{ name: here.join('.'), path: here, kind: kindOf(field), required: needed, schema: field }];
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

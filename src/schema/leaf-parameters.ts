import { isFileSchema } from './file-form.ts';
import type { JsonSchema } from './json-schema.ts';
import { branchesOf, propertiesOf, resolve, typesOf } from './schema-tree.ts';

/** A parameter that is given as strings: a flag on the command line, a name in a query. */
export interface LeafParameter {
  /** `x`, or `address.city` for a field of an object. */
  readonly name: string;
  /** Where the value goes in the arguments. */
  readonly path: readonly string[];
  readonly required: boolean;
  /** Without a reference at its root. */
  readonly schema: JsonSchema;
}

/** Nested objects get dotted names up to this depth; deeper ones are given as JSON. */
const MAX_DEPTH = 4;

/** The parameters of an input schema. */
export function leafParametersOf(root: JsonSchema): LeafParameter[] {
  return leavesIn(root, root, [], true, () => {});
}

/** The objects whose fields are parameters of their own. They can also be given as a whole, as JSON. */
export function objectParametersOf(root: JsonSchema): LeafParameter[] {
  const objects: LeafParameter[] = [];
  leavesIn(root, root, [], true, (object) => objects.push(object));
  return objects;
}

function leavesIn(
  schema: JsonSchema,
  root: JsonSchema,
  path: readonly string[],
  required: boolean,
  onObject: (object: LeafParameter) => void,
): LeafParameter[] {
  const properties = propertiesOf({ schema, root });
  const entries = properties === 'open' ? Object.entries(schema.properties ?? {}) : [...properties];
  return entries.flatMap(([name, property]) => {
    const here = [...path, name];
    const field = resolve({ schema: property, root });
    const needed = required && (schema.required?.includes(name) ?? false);
    if (field.type === 'object' && here.length < MAX_DEPTH && !isFileSchema(field)) {
      const inner = leavesIn(field, root, here, needed, onObject);
      if (inner.length > 0) {
        onObject({ name: here.join('.'), path: here, required: needed, schema: field });
        return inner;
      }
    }
    return [{ name: here.join('.'), path: here, required: needed, schema: field }];
  });
}

/** `list` and `switch` (on or off) only if nothing else is allowed, except null. */
export function kindOf(schema: JsonSchema): 'value' | 'switch' | 'list' {
  const types = (branchesOf(schema)?.flatMap((branch) => typesOf(branch) ?? ['string']) ?? typesOf(schema))?.filter(
    (type) => type !== 'null',
  );
  if (types?.length !== 1) return 'value';
  if (types[0] === 'boolean') return 'switch';
  return types[0] === 'array' ? 'list' : 'value';
}

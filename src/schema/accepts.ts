import { Shelf } from './embed.ts';
import type { JsonSchema } from './json-schema.ts';
import { propertiesOf, resolve, typesOf, isOf } from './schema-tree.ts';
import { compileAccepts } from './validator.ts';
import type { Accepts } from './validator.ts';

const parts = new WeakMap<JsonSchema, WeakMap<JsonSchema, Accepts>>();

/** Whether a part of a schema accepts a value. A part refers to the whole, so what it needs of it comes along. */
export function accepts(value: unknown, part: JsonSchema | boolean, root: JsonSchema): boolean {
  if (typeof part === 'boolean') return part;
  let known = parts.get(root);
  if (!known) parts.set(root, (known = new WeakMap()));
  let verdict = known.get(part);
  if (!verdict) {
    const shelf = new Shelf('#/$defs/');
    verdict = compileAccepts({ ...shelf.embedPart(part, root, 'whole'), $defs: shelf.schemas });
    known.set(part, verdict);
  }
  return verdict(value);
}

/**
 * Whether a branch of a union cannot be the one that is meant: the value is of another type, or a
 * field that tells the branches apart (`kind`, `op`) says so. Looks at the surface only, so that unions
 * inside unions cost what their values cost.
 */
export function isOther(value: unknown, branch: JsonSchema, root: JsonSchema): boolean {
  const schema = resolve({ schema: branch, root });
  const types = typesOf(schema);
  if (types && !types.some((type) => isOf(value, type))) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = propertiesOf({ schema, root });
  if (fields === 'open') return false;
  return [...fields].some(([name, field]) => {
    const { enum: allowed, ...rest } = resolve({ schema: field, root });
    const values = 'const' in rest ? [rest.const] : allowed;
    return (
      values !== undefined && Object.hasOwn(value, name) && !includes(values, (value as Record<string, unknown>)[name])
    );
  });
}

function includes(values: readonly unknown[], value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return values.includes(value);
  return accepts(value, { enum: values }, {});
}

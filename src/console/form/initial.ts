import { accepts } from '../../schema/accepts.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { shapeOf } from './shape.ts';

/** Required fields inside required fields, and so on; a schema may be recursive. */
const DEEPEST = 8;

/** What a form starts with: what must be there, as far as there is only one way to fill it in. */
export function initialValue(schema: JsonSchema, root: JsonSchema, depth = 0): unknown {
  const shape = shapeOf(schema, root);
  if (depth > DEEPEST) return undefined;
  switch (shape.kind) {
    case 'constant':
      return shape.value;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'list':
      return shape.first.map((item) => initialValue(item, root, depth + 1) ?? null);
    case 'object':
      return Object.fromEntries(
        shape.properties
          .filter(({ isRequired }) => isRequired)
          .map(({ name, schema: inner }) => [name, initialValue(inner, root, depth + 1)])
          .filter(([, value]) => value !== undefined),
      );
    case 'union':
      return initialValue(shape.branches[0] ?? {}, root, depth + 1);
    default:
      return undefined;
  }
}

/** For a place that must hold something: an item of a list, or a value of a map. */
export function emptyValue(schema: JsonSchema, root: JsonSchema): unknown {
  return initialValue(schema, root) ?? (shapeOf(schema, root).kind === 'string' ? '' : null);
}

/** The branch that a value is for: one that accepts it, or else one whose constants it has. */
export function branchOf(value: unknown, branches: readonly JsonSchema[], root: JsonSchema): number {
  const accepted = branches.findIndex((branch) => safely(() => accepts(value, branch, root)));
  if (accepted >= 0) return accepted;
  return branches.findIndex((branch) => {
    const shape = shapeOf(branch, root);
    if (shape.kind === 'object') return isObject(value) && hasMarks(value, shape.properties, root);
    if (shape.kind === 'list') return Array.isArray(value);
    if (shape.kind === 'number') return typeof value === 'number';
    if (shape.kind === 'null') return value === null;
    return shape.kind === typeof value;
  });
}

function hasMarks(
  value: Record<string, unknown>,
  properties: readonly { readonly name: string; readonly schema: JsonSchema }[],
  root: JsonSchema,
): boolean {
  return properties.every(({ name, schema }) => {
    const shape = shapeOf(schema, root);
    return shape.kind !== 'constant' || value[name] === shape.value;
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function safely(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}

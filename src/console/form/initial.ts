import { accepts } from '../../schema/accepts.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { InexactNumber } from '../../schema/parse-json.ts';
import { isRecursive } from './is-recursive.ts';
import { shapeOf } from './shape.ts';

/** Required fields inside required fields, and so on; a schema may require itself, which nothing can satisfy. */
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
      return shape.first.map((item) => emptyValue(item, root, depth + 1));
    case 'object':
      return Object.fromEntries(
        shape.properties
          .filter(({ isRequired }) => isRequired)
          .map(({ name, schema: inner }) => [name, initialValue(inner, root, depth + 1)])
          .filter(([, value]) => value !== undefined),
      );
    case 'union': {
      const branch = initialBranch(shape.branches, root);
      return branch && initialValue(branch, root, depth + 1);
    }
    default:
      return undefined;
  }
}

/** The first branch, unless that goes on for ever: then `null`, or one that ends. */
function initialBranch(branches: readonly JsonSchema[], root: JsonSchema): JsonSchema | undefined {
  const ending = branches.filter((branch) => !isRecursive(branch, root));
  if (ending[0] === branches[0]) return ending[0];
  return ending.find((branch) => shapeOf(branch, root).kind === 'null') ?? ending[0];
}

/** For a place that must hold something: an item of a list, or a value of a map. */
export function emptyValue(schema: JsonSchema, root: JsonSchema, depth = 0): unknown {
  return initialValue(schema, root, depth) ?? (shapeOf(schema, root).kind === 'string' ? '' : null);
}

/** What a branch starts with after another one: fields that both have keep their values. */
export function valueForBranch(branch: JsonSchema, root: JsonSchema, before: unknown): unknown {
  const shape = shapeOf(branch, root);
  const start = initialValue(branch, root) ?? (shape.kind === 'string' ? '' : undefined);
  if (shape.kind !== 'object' || !isRecord(before) || !isRecord(start)) return start;
  const kept = shape.properties
    .filter(({ name }) => Object.hasOwn(before, name))
    .filter(({ name, schema }) => safely(() => accepts(before[name], schema, root)))
    .map(({ name }) => [name, before[name]] as const);
  return Object.fromEntries([...Object.entries(start), ...kept]);
}

/** The branch that a value is for: one that accepts it, or else one whose constants it has. */
export function branchOf(value: unknown, branches: readonly JsonSchema[], root: JsonSchema): number {
  const isInexact = value instanceof InexactNumber;
  const accepted = isInexact ? -1 : branches.findIndex((branch) => safely(() => accepts(value, branch, root)));
  if (accepted >= 0) return accepted;
  return branches.findIndex((branch) => {
    const shape = shapeOf(branch, root);
    if (shape.kind === 'number') return isInexact || typeof value === 'number';
    if (isInexact) return false;
    if (shape.kind === 'object') return isRecord(value) && hasMarks(value, shape.properties, root);
    if (shape.kind === 'list') return Array.isArray(value);
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

function safely(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false; // a schema that the engine refuses: the server says so
  }
}

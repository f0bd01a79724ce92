import { isRecord } from '../json-schema.ts';
import type { JsonSchema } from '../json-schema.ts';
import { isOf, resolve, typesOf } from '../schema-tree.ts';
import { isEqual } from './equal.ts';
import type { SchemaNode } from './schema-node.ts';

type Branch = JsonSchema | boolean;

/** The field by which the branches of a union tell themselves apart. */
export interface Tag {
  readonly name: string;
  /** Which branches each value of it leaves possible. */
  readonly values: ReadonlyMap<unknown, readonly number[]>;
  /** The branches that say nothing of it: possible whatever its value. */
  readonly untagged: readonly number[];
  /** The branches that are possible without it. */
  readonly optional: readonly number[];
}

/** The field that has listed values in most of the branches, in two at least. */
function findTag(branches: readonly Branch[], root: JsonSchema): Tag | undefined {
  const schemas = branches.map((branch) => (isRecord(branch) ? resolve({ schema: branch, root }) : {}));
  const counts = new Map<string, number>();
  for (const { properties = {} } of schemas) {
    for (const [name, field] of Object.entries(properties)) {
      if (listed(field, root)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (!best || best[1] < 2) return undefined;
  const [name] = best;
  const own = schemas.map(({ properties = {} }) =>
    Object.hasOwn(properties, name) ? listed(properties[name]!, root) : undefined,
  );
  const at = (keeps: (index: number) => boolean) => [...schemas.keys()].filter(keeps);
  const all = new Set(own.flatMap((values) => values ?? []));
  return {
    name,
    values: new Map([...all].map((value) => [value, at((i) => own[i]?.includes(value) ?? true)])),
    untagged: at((i) => own[i] === undefined),
    optional: at((i) => own[i] === undefined || !schemas[i]!.required?.includes(name)),
  };
}

/** The plain values that a field is restricted to. */
function listed(field: unknown, root: JsonSchema): readonly unknown[] | undefined {
  if (!isRecord(field)) return undefined;
  const schema = resolve({ schema: field, root });
  const values = 'const' in schema ? [schema.const] : schema.enum;
  return values?.every((value) => typeof value !== 'object' || value === null) ? values : undefined;
}

const found = new WeakMap<readonly Branch[], { readonly root: JsonSchema; readonly tag: Tag | undefined }>();

/** The tag of a union, looked for once. */
export function tagOf(branches: readonly Branch[], root: JsonSchema): Tag | undefined {
  let known = found.get(branches);
  if (known?.root !== root) found.set(branches, (known = { root, tag: findTag(branches, root) }));
  return known.tag;
}

/** The branches that the surface of a value does not rule out. */
export function meantBy(value: unknown, branches: readonly JsonSchema[], root: JsonSchema): readonly JsonSchema[] {
  const tag = isRecord(value) ? tagOf(branches, root) : undefined;
  const named =
    tag && Object.hasOwn(value as object, tag.name) ? (value as Record<string, unknown>)[tag.name] : undefined;
  const namedBranches =
    tag && named !== undefined && typeof named !== 'object' ? (tag.values.get(named) ?? tag.untagged) : undefined;
  const possible = namedBranches?.map((index) => branches[index]!) ?? branches;
  return possible.filter((branch) => !isOther(value, branch, root));
}

/**
 * Whether a branch of a union cannot be the one that is meant: the value is of another type, or a field that tells the
 * branches apart says so. Looks at the surface only, so that unions inside unions cost what their values cost.
 */
export function isOther(value: unknown, branch: Branch, root: JsonSchema): boolean {
  if (isOfOtherType(value, branch, root)) return true;
  if (!isRecord(branch) || !isRecord(value)) return false;
  const schema = resolve({ schema: branch, root });
  return Object.entries(schema.properties ?? {}).some(([name, field]) => {
    if (!isRecord(field) || !Object.hasOwn(value, name)) return false;
    const { enum: allowed, ...rest } = resolve({ schema: field, root });
    const values = 'const' in rest ? [rest.const] : allowed;
    return values !== undefined && !values.some((one) => isEqual(one, value[name]));
  });
}

/** Whether a branch takes no values of this type. */
export function isOfOtherType(value: unknown, branch: Branch, root: JsonSchema): boolean {
  if (!isRecord(branch)) return !branch;
  return typesOf(resolve({ schema: branch, root }))?.every((type) => !isOf(value, type)) ?? false;
}

/** The branch that breaks the least on its surface; the first of those that break as much. */
export function closest(value: unknown, branches: readonly SchemaNode[], root: JsonSchema): SchemaNode | undefined {
  let [best] = branches;
  let least = Infinity;
  for (const branch of branches) {
    const broken = isRecord(branch.schema) ? breaks(value, resolve({ schema: branch.schema, root }), root) : 0;
    if (broken >= least) continue;
    least = broken;
    best = branch;
  }
  return best;
}

/** How much is wrong with the fields; one that is missing says more than one of the wrong type. */
function breaks(value: unknown, schema: JsonSchema, root: JsonSchema): number {
  if (!isRecord(value)) return 0;
  const { properties = {}, required = [] } = schema;
  let count = 0;
  for (const name of required) if (!Object.hasOwn(value, name)) count += 2;
  for (const name of Object.keys(properties)) {
    if (Object.hasOwn(value, name) && isOther(value[name], properties[name]!, root)) count++;
  }
  if (schema['additionalProperties'] === false && !schema['patternProperties']) {
    for (const name of Object.keys(value)) if (!Object.hasOwn(properties, name)) count++;
  }
  return count;
}

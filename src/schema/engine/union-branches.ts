import { isRecord } from '../json-schema.ts';
import type { JsonSchema } from '../json-schema.ts';
import { hasType, resolve, typesOf } from '../schema-tree.ts';
import { isEqual } from './equal.ts';
import type { SchemaNode } from './schema-node.ts';

type Branch = JsonSchema | boolean;

/** The discriminator of a union: a field that has listed values in several branches. */
export interface Discriminator {
  readonly name: string;
  /** The branches that each value of it allows. */
  readonly values: ReadonlyMap<unknown, readonly number[]>;
  /** The branches that do not restrict it: possible for any value. */
  readonly untagged: readonly number[];
  /** The branches that are possible without it. */
  readonly optional: readonly number[];
}

/** Finds the field that has listed values in the most branches, at least in two. */
function findDiscriminator(branches: readonly Branch[], root: JsonSchema): Discriminator | undefined {
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

/** The values that a field is restricted to, if all are primitive. */
function listed(field: unknown, root: JsonSchema): readonly unknown[] | undefined {
  if (!isRecord(field)) return undefined;
  const schema = resolve({ schema: field, root });
  const values = 'const' in schema ? [schema.const] : schema.enum;
  return values?.every((value) => typeof value !== 'object' || value === null) ? values : undefined;
}

const found = new WeakMap<
  readonly Branch[],
  { readonly root: JsonSchema; readonly discriminator: Discriminator | undefined }
>();

/** The discriminator of a union. Cached. */
export function discriminatorOf(branches: readonly Branch[], root: JsonSchema): Discriminator | undefined {
  let known = found.get(branches);
  if (known?.root !== root) found.set(branches, (known = { root, discriminator: findDiscriminator(branches, root) }));
  return known.discriminator;
}

/** The branches that the type and the discriminator of a value allow. */
export function possibleBranches(
  value: unknown,
  branches: readonly JsonSchema[],
  root: JsonSchema,
): readonly JsonSchema[] {
  const discriminator = isRecord(value) ? discriminatorOf(branches, root) : undefined;
  const named =
    discriminator && Object.hasOwn(value as object, discriminator.name)
      ? (value as Record<string, unknown>)[discriminator.name]
      : undefined;
  const namedBranches =
    discriminator && named !== undefined && typeof named !== 'object'
      ? (discriminator.values.get(named) ?? discriminator.untagged)
      : undefined;
  const possible = namedBranches?.map((index) => branches[index]!) ?? branches;
  return possible.filter((branch) => !isRuledOut(value, branch, root));
}

/**
 * Whether a branch of a union is ruled out: by the type of the value or by a field with listed values. Does not look
 * deeper, so that nested unions take time linear in the size of the value.
 */
export function isRuledOut(value: unknown, branch: Branch, root: JsonSchema): boolean {
  if (hasOtherType(value, branch, root)) return true;
  if (!isRecord(branch) || !isRecord(value)) return false;
  const schema = resolve({ schema: branch, root });
  return Object.entries(schema.properties ?? {}).some(([name, field]) => {
    if (!isRecord(field) || !Object.hasOwn(value, name)) return false;
    const { enum: allowed, ...rest } = resolve({ schema: field, root });
    const values = 'const' in rest ? [rest.const] : allowed;
    return values !== undefined && !values.some((one) => isEqual(one, value[name]));
  });
}

/** Whether a branch accepts no values of this type. */
export function hasOtherType(value: unknown, branch: Branch, root: JsonSchema): boolean {
  if (!isRecord(branch)) return !branch;
  return typesOf(resolve({ schema: branch, root }))?.every((type) => !hasType(value, type)) ?? false;
}

/** The branch with the fewest mismatching fields; the first of several. */
export function closestBranch(
  value: unknown,
  branches: readonly SchemaNode[],
  root: JsonSchema,
): SchemaNode | undefined {
  let [best] = branches;
  let least = Infinity;
  for (const branch of branches) {
    const broken = isRecord(branch.schema) ? mismatches(value, resolve({ schema: branch.schema, root }), root) : 0;
    if (broken >= least) continue;
    least = broken;
    best = branch;
  }
  return best;
}

/** Counts mismatching fields. A missing field counts twice: it says more than a wrong type. */
function mismatches(value: unknown, schema: JsonSchema, root: JsonSchema): number {
  if (!isRecord(value)) return 0;
  const { properties = {}, required = [] } = schema;
  let count = 0;
  for (const name of required) if (!Object.hasOwn(value, name)) count += 2;
  for (const name of Object.keys(properties)) {
    if (Object.hasOwn(value, name) && isRuledOut(value[name], properties[name]!, root)) count++;
  }
  if (schema['additionalProperties'] === false && !schema['patternProperties']) {
    for (const name of Object.keys(value)) if (!Object.hasOwn(properties, name)) count++;
  }
  return count;
}

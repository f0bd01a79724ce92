import { canonicalJson } from '../schema/canonical-json.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { Effect } from './change.ts';
import { diffKeywords } from './diff-keywords.ts';
import { describeVariants, isCovered, variantsOf } from './variants.ts';
import type { Variant } from './variants.ts';

export interface SchemaChange {
  /** Where, from the root of the schema: `items[].name`. */
  readonly path: string;
  readonly text: string;
  readonly effect: Effect;
}

/** Values that callers send, or values that they get. The words differ, and so does what breaks them. */
export type Direction = 'input' | 'output';

/** What values of a schema another schema does not allow, and the other way round. */
export function diffSchemas(before: JsonSchema, after: JsonSchema, direction: Direction): readonly SchemaChange[] {
  return new SchemaDiff(before, after, direction).run();
}

class SchemaDiff {
  readonly #changes: SchemaChange[] = [];
  /** Recursive types lead to the same two schemas again. */
  readonly #seen = new WeakMap<object, Set<object>>();

  constructor(
    private readonly before: JsonSchema,
    private readonly after: JsonSchema,
    private readonly direction: Direction,
  ) {}

  run(): readonly SchemaChange[] {
    this.#compare(this.before, this.after, '');
    return this.#changes;
  }

  #add(path: string, text: string, effect: Effect): void {
    this.#changes.push({ path, text, effect });
  }

  #compare(before: unknown, after: unknown, path: string): void {
    const [old, now] = [variantsOf(before, this.before), variantsOf(after, this.after)];
    const removed = old.filter((one) => !now.some((other) => isCovered(one, other)));
    const added = now.filter((one) => !old.some((other) => isCovered(one, other)));
    if (removed.length + added.length > 0) this.#addVariants(path, { old, now, removed, added });
    const pairs = pairsIn(old, now);
    for (const [one, other] of pairs) this.#compareVariants(one.schema, other.schema, path);
    this.#addUnpaired(path, unpairedIn(now, pairs, 1), old, 'wider');
    this.#addUnpaired(path, unpairedIn(old, pairs, 0), now, 'narrower');
  }

  /** One more or one less of several kinds of objects, or of lists: their type alone does not tell them apart. */
  #addUnpaired(path: string, unpaired: readonly Variant[], others: readonly Variant[], effect: Effect): void {
    const isMany = (one: Variant) => others.some(({ type, literal }) => type === one.type && literal === undefined);
    if (!unpaired.some(isMany)) return;
    const verb = this.direction === 'input' ? 'accepts' : 'has';
    this.#add(path, `${verb} ${effect === 'wider' ? 'more' : 'fewer'} kinds of values`, effect);
  }

  #addVariants(
    path: string,
    { old, now, removed, added }: Record<'old' | 'now' | 'removed' | 'added', readonly Variant[]>,
  ): void {
    const isInput = this.direction === 'input';
    const effect = removed.length === 0 ? 'wider' : added.length === 0 ? 'narrower' : 'both';
    const changed = removed.length === 0 ? added : removed;
    const isSame = old.length - removed.length === now.length - added.length;
    if (effect === 'both' || !isSame || !changed.every(({ literal, type }) => literal !== undefined || type === 'null'))
      return this.#add(path, `is now ${describeVariants(now)}, was ${describeVariants(old)}`, effect);
    const words =
      effect === 'wider' ? (isInput ? 'also accepts' : 'may now be') : isInput ? 'no longer accepts' : 'is no longer';
    this.#add(path, `${words} ${describeVariants(changed)}`, effect);
  }

  #compareVariants(before: JsonSchema, after: JsonSchema, path: string): void {
    const seen = this.#seen.get(before) ?? new Set();
    if (seen.has(after)) return;
    this.#seen.set(before, seen.add(after));
    for (const { text, effect } of diffKeywords(before, after)) this.#add(path, text, effect);
    this.#compareProperties(before, after, path);
    this.#compareOthers(before['additionalProperties'], after['additionalProperties'], path);
    const [oldFirst, newFirst] = [listOf(before['prefixItems']), listOf(after['prefixItems'])];
    if (oldFirst.length !== newFirst.length)
      this.#add(path, `is now a list of ${newFirst.length} values, was one of ${oldFirst.length}`, 'both');
    else for (const [i, one] of oldFirst.entries()) this.#compare(one, newFirst[i], `${path}[${i}]`);
    if (before.items !== undefined || after.items !== undefined) this.#compare(before.items, after.items, `${path}[]`);
  }

  #compareProperties(before: JsonSchema, after: JsonSchema, path: string): void {
    const [old, now] = [before.properties ?? {}, after.properties ?? {}];
    for (const name of Object.keys(old)) {
      const inner = path === '' ? name : `${path}.${name}`;
      if (!Object.hasOwn(now, name)) {
        this.#add(inner, 'removed', 'both');
        continue;
      }
      if (isRequired(before, name) !== isRequired(after, name)) {
        if (isRequired(after, name))
          this.#add(inner, this.direction === 'input' ? 'is now required' : 'is now always there', 'narrower');
        else this.#add(inner, 'is now optional', 'wider');
      }
      this.#compare(old[name], now[name], inner);
    }
    for (const name of Object.keys(now)) {
      if (Object.hasOwn(old, name)) continue;
      const isForced = this.direction === 'input' && isRequired(after, name);
      this.#add(
        path === '' ? name : `${path}.${name}`,
        `added${isForced ? ', required' : ''}`,
        isForced ? 'narrower' : 'none',
      );
    }
  }

  /** Fields without a name of their own. A caller must be prepared for more of them in a result. */
  #compareOthers(before: unknown = true, after: unknown = true, path: string): void {
    if (isRecord(before) && isRecord(after)) return this.#compare(before, after, `${path}.*`);
    if (canonicalJson(before) === canonicalJson(after) || this.direction === 'output') return;
    if (after === true) this.#add(path, 'also accepts other fields', 'wider');
    else if (after === false) this.#add(path, 'no longer accepts other fields', 'narrower');
    else this.#compare(before, after, `${path}.*`);
  }
}

const isRequired = ({ required = [] }: JsonSchema, name: string) => required.includes(name);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Which variants to compare in detail: equal ones first, then those with the same mark, then those of the same type. */
function pairsIn(old: readonly Variant[], now: readonly Variant[]): readonly Pair[] {
  const [before, after] = [new Set(old), new Set(now)];
  const pairs: Pair[] = [];
  for (const keyOf of [({ schema }: Variant) => canonicalJson(schema), markOf, () => '']) {
    const keys = new Map([...before, ...after].map((one) => [one, keyOf(one)]));
    for (const one of before) {
      const found = [...after].find((other) => keys.get(one) === keys.get(other) && areComparable(one, other));
      if (!found) continue;
      pairs.push([one, found]);
      before.delete(one);
      after.delete(found);
    }
  }
  return pairs;
}

type Pair = readonly [before: Variant, after: Variant];

function areComparable(one: Variant, other: Variant): boolean {
  const areTypes = one.literal === undefined && other.literal === undefined;
  return areTypes && (isCovered(one, other) || isCovered(other, one));
}

function unpairedIn(variants: readonly Variant[], pairs: readonly Pair[], side: 0 | 1): readonly Variant[] {
  return variants.filter((one) => one.literal === undefined && !pairs.some((pair) => pair[side] === one));
}

/** What tells the members of a discriminated union apart: the fields with one value. */
function markOf({ schema: { properties = {} } }: Variant): string {
  const fields = Object.entries(properties).filter(([, field]) => isRecord(field) && 'const' in field);
  return canonicalJson(Object.fromEntries(fields.map(([name, field]) => [name, field.const])));
}

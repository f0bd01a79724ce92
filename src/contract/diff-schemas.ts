import { canonicalJson } from '../schema/canonical-json.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { Effect } from './change.ts';
import { diffKeywords } from './diff-keywords.ts';
import { Sameness, effectiveKeywords } from './sameness.ts';
import { Variants, describeVariants, isCovered } from './variants.ts';
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
  /** How often there was nothing to add, since it was said already. */
  #repeated = 0;
  readonly #sameness: Sameness;
  readonly #old: Variants;
  readonly #now: Variants;

  constructor(
    private readonly before: JsonSchema,
    private readonly after: JsonSchema,
    private readonly direction: Direction,
  ) {
    this.#sameness = new Sameness(before, after);
    this.#old = new Variants(before);
    this.#now = new Variants(after);
  }

  run(): readonly SchemaChange[] {
    this.#compare(this.before, this.after, '');
    if (this.#changes.length === 0 && !this.#sameness.ofSchemas(this.before, this.after)) this.#addUnknown('');
    return this.#changes;
  }

  /** The members of a union may have the same change. */
  #add(path: string, text: string, effect: Effect): void {
    const isKnown = this.#changes.some((one) => one.path === path && one.text === text && one.effect === effect);
    if (!isKnown) this.#changes.push({ path, text, effect });
    else this.#repeated++;
  }

  /** Something is different, and there are no words for it: it may mean anything. */
  #addUnknown(path: string): void {
    this.#add(path, 'changed', 'both');
  }

  #compare(before: unknown, after: unknown, path: string): void {
    if (this.#sameness.ofSchemas(before, after)) return;
    const [count, repeated] = [this.#changes.length, this.#repeated];
    const [old, now] = [this.#old.of(before), this.#now.of(after)];
    const removed = old.filter((one) => !isAllowed(one, now, (value) => this.#now.allows(value, after)));
    const added = now.filter((one) => !isAllowed(one, old, (value) => this.#old.allows(value, before)));
    if (removed.length + added.length > 0) this.#addVariants(path, { old, now, removed, added });
    const pairs = pairsIn(old, now);
    for (const [one, other] of pairs) this.#compareVariants(one.schema, other.schema, path);
    const [fewer, more] = [unpairedIn(old, pairs, 0), unpairedIn(now, pairs, 1)];
    this.#addUnpaired(
      path,
      more.filter((one) => !added.includes(one)),
      old,
      'wider',
    );
    this.#addUnpaired(
      path,
      fewer.filter((one) => !removed.includes(one)),
      now,
      'narrower',
    );
    // What is different in a recursive type is said where it was met first.
    if (this.#changes.length === count && this.#repeated === repeated) this.#addUnknown(path);
    if (this.#old.overlap(before) || this.#now.overlap(after)) this.#addOverlaps(path, count, repeated);
  }

  /** A value that two members of `oneOf` accept is refused: if a member accepts more, the union may accept less. */
  #addOverlaps(path: string, count: number, repeated: number): void {
    for (const [i, change] of this.#changes.entries()) {
      if (i >= count && change.effect !== 'none') this.#changes[i] = { ...change, effect: 'both' };
    }
    const isSaid = this.#changes.slice(count).some(({ effect }) => effect === 'both');
    if (!isSaid && this.#repeated > repeated) this.#addUnknown(path);
  }

  /** One more or one less of several kinds of objects, or of lists: their type alone does not tell them apart. */
  #addUnpaired(path: string, unpaired: readonly Variant[], others: readonly Variant[], effect: Effect): void {
    if (unpaired.every((one) => others.some((other) => isCovered(one, other) && isPlain(other)))) return;
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
    if (seen.has(after)) return void this.#repeated++;
    this.#seen.set(before, seen.add(after));
    for (const { text, effect } of diffKeywords(before, after, this.#sameness)) this.#add(path, text, effect);
    // `unevaluatedProperties` and `unevaluatedItems` are about what these do not describe.
    const isOther = (name: string) => name in before !== name in after;
    if ((isUnevaluated(before) || isUnevaluated(after)) && ALL_OTHERS.some(isOther)) this.#addUnknown(path);
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
      const inner = innerOf(path, name);
      if (!Object.hasOwn(now, name)) {
        this.#add(inner, 'removed', 'both');
        continue;
      }
      this.#compareRequired(before, after, name, path);
      this.#compare(old[name], now[name], inner);
    }
    for (const name of Object.keys(now)) if (!Object.hasOwn(old, name)) this.#addProperty(before, after, name, path);
    const known = { ...old, ...now };
    const required = new Set([...(before.required ?? []), ...(after.required ?? [])]);
    for (const name of required) if (!Object.hasOwn(known, name)) this.#compareRequired(before, after, name, path);
  }

  #addProperty(before: JsonSchema, after: JsonSchema, name: string, path: string): void {
    const inner = innerOf(path, name);
    const isForced = this.direction === 'input' && isRequired(after, name) && !isRequired(before, name);
    this.#add(inner, `added${isForced ? ', required' : ''}`, isForced ? 'narrower' : 'none');
    if (isRequired(before, name)) this.#compareRequired(before, after, name, path);
    // It was one of the other fields.
    const { additionalProperties: others = false } = before;
    if (others !== false) this.#compare(others, after.properties![name], inner);
  }

  #compareRequired(before: JsonSchema, after: JsonSchema, name: string, path: string): void {
    if (isRequired(before, name) === isRequired(after, name)) return;
    if (!isRequired(after, name)) this.#add(innerOf(path, name), 'is now optional', 'wider');
    else
      this.#add(
        innerOf(path, name),
        this.direction === 'input' ? 'is now required' : 'is now always there',
        'narrower',
      );
  }

  /** Fields without a name of their own. */
  #compareOthers(before: unknown, after: unknown, path: string): void {
    if (this.#sameness.ofKeyword('additionalProperties', before, after)) return;
    if (this.direction === 'input') {
      if (after === false) this.#add(path, 'no longer accepts other fields', 'narrower');
      else if (allowsAll(after)) this.#add(path, 'also accepts other fields', 'wider');
      else this.#compare(before ?? true, after, `${path}.*`);
    } else if (before === false) this.#add(path, 'may have other fields', 'none');
    // Nobody relies on fields that nothing is said about. Those of a record are what it is for.
    else if (after === false && before === undefined) this.#add(path, 'has no other fields', 'narrower');
    else if (after === false) this.#add(path, 'no longer has other fields', 'both');
    else this.#compare(before ?? true, after ?? true, `${path}.*`);
  }
}

const ALL_OTHERS = ['additionalProperties', 'items', 'prefixItems'];

const isUnevaluated = (schema: JsonSchema): boolean =>
  'unevaluatedProperties' in schema ||
  'unevaluatedItems' in schema ||
  listOf(schema['allOf']).filter(isRecord).some(isUnevaluated);

const isPlain = ({ schema }: Variant) => effectiveKeywords(schema).every((name) => name === 'type');

const innerOf = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

const allowsAll = (schema: unknown) =>
  schema === undefined || schema === true || (isRecord(schema) && effectiveKeywords(schema).length === 0);

/** Whether what one variant allows is allowed by others, as far as types tell. */
function isAllowed(one: Variant, others: readonly Variant[], allows: (value: unknown) => boolean): boolean {
  return one.literal === undefined ? others.some((other) => isCovered(one, other)) : allows(JSON.parse(one.literal));
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

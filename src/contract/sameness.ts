import { canonicalJson } from '../schema/canonical-json.ts';
import { SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS } from '../schema/embed.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { lookUp } from '../schema/pointer.ts';

/** Allow no value more or less. */
const ANNOTATIONS = ['title', 'description', 'examples', 'deprecated', 'readOnly', 'writeOnly'];
const IDENTIFIERS = ['$schema', '$id', '$defs', 'definitions', '$anchor', '$dynamicAnchor', '$comment'];
const WITHOUT_EFFECT = new Set([...ANNOTATIONS, ...IDENTIFIERS]);

/** The keywords of a schema that say something about values. */
export const effectiveKeywords = (schema: JsonSchema): readonly string[] =>
  Object.keys(schema).filter((name) => !WITHOUT_EFFECT.has(name));

/** Lists in which the order does not matter. */
const SETS = new Set(['required', 'enum', 'type']);
const UNORDERED = new Set(['allOf', 'anyOf', 'oneOf']);

/** Without them, nothing is demanded; with `true`, something is. */
const DEMANDING = new Set(['not', 'if', 'contains']);

/**
 * Compares parts of two schemas as they are written, apart from descriptions, the order of keys, and whether something is named
 * and referred to. Everything else counts as a difference, so that nothing is overlooked.
 */
export class Sameness {
  /** Recursive types lead to the same two schemas again: they are equal unless something else is different. */
  readonly #assumed = new Map<object, Set<object>>();
  readonly #trail: (readonly [object, object])[] = [];

  constructor(
    private readonly before: JsonSchema,
    private readonly after: JsonSchema,
  ) {}

  ofSchemas(before: unknown, after: unknown): boolean {
    const [old, now] = [resolved(before, this.before), resolved(after, this.after)];
    if (!isRecord(old) || !isRecord(now)) return old === now;
    if (this.#assumed.get(old)?.has(now)) return true;
    const length = this.#trail.length;
    this.#assume(old, now);
    const names = new Set([...effectiveKeywords(old), ...effectiveKeywords(now)]);
    // Where something is said about what nothing describes, a keyword that allows everything is not the same as none.
    const isExact = [old, now].some((one) => 'unevaluatedProperties' in one || 'unevaluatedItems' in one);
    const isSame = (name: string) => !isExact || name in old === name in now;
    if ([...names].every((name) => isSame(name) && this.ofKeyword(name, old[name], now[name]))) return true;
    // What was found equal on the way may have relied on this.
    for (const [one, other] of this.#trail.splice(length)) this.#assumed.get(one)!.delete(other);
    return false;
  }

  ofKeyword(name: string, before: unknown, after: unknown): boolean {
    if (name === '$ref') return this.ofSchemas(target(before, this.before), target(after, this.after));
    if (SCHEMA_KEYWORDS.includes(name)) {
      const absent = DEMANDING.has(name) ? undefined : true;
      return this.ofSchemas(before ?? absent, after ?? absent);
    }
    if (SCHEMA_LIST_KEYWORDS.includes(name) && Array.isArray(before) && Array.isArray(after))
      return this.#ofLists(before, after, UNORDERED.has(name));
    if (SCHEMA_MAP_KEYWORDS.includes(name)) return this.#ofMaps(before ?? {}, after ?? {});
    if (SETS.has(name)) return setOf(before) === setOf(after);
    return canonicalJson(before) === canonicalJson(after);
  }

  #ofLists(before: readonly unknown[], after: readonly unknown[], isUnordered: boolean): boolean {
    if (before.length !== after.length) return false;
    const left = [...after];
    return before.every((one, i) => {
      const index = isUnordered ? left.findIndex((other) => this.ofSchemas(one, other)) : i;
      if (index < 0) return false;
      return isUnordered ? left.splice(index, 1).length === 1 : this.ofSchemas(one, after[i]);
    });
  }

  #ofMaps(before: unknown, after: unknown): boolean {
    if (!isRecord(before) || !isRecord(after)) return canonicalJson(before) === canonicalJson(after);
    const names = Object.keys(before);
    return (
      names.length === Object.keys(after).length &&
      names.every((name) => Object.hasOwn(after, name) && this.ofSchemas(before[name], after[name]))
    );
  }

  #assume(old: object, now: object): void {
    const known = this.#assumed.get(old) ?? new Set();
    this.#assumed.set(old, known.add(now));
    this.#trail.push([old, now]);
  }
}

const setOf = (value: unknown) => canonicalJson([value ?? []].flat().map(canonicalJson).toSorted());

const target = (ref: unknown, root: JsonSchema) => (typeof ref === 'string' ? lookUp(root, ref) : true);

/** Follows references. `{}` allows what `true` allows. A reference that leads only to itself stays what it is. */
function resolved(schema: unknown, root: JsonSchema): unknown {
  let found = schema;
  const seen = new Set<unknown>();
  while (isRecord(found) && typeof found['$ref'] === 'string' && effectiveKeywords(found).length === 1) {
    if (seen.has(found)) break;
    seen.add(found);
    found = lookUp(root, found['$ref']);
  }
  return isRecord(found) && effectiveKeywords(found).length === 0 ? true : found;
}
